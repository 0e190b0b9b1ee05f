@transport
Feature: How lines come and go

  Where a read or a write ends says nothing: only LF ends a line. What an editor does not read at once is not lost, and what
  it does not wait for is not cut short.

  @scenario:in-pieces
  @ACP-TRN-06
  Scenario: Lines come in pieces, several at once, and byte by byte
    When the editor sends in pieces, cut at each bar: {"jsonrpc":"2.0","id":"a","method":"_no/one"}\x0a{"jsonrpc":"2.0","id":"\xd0|\xba\xd0\xbb\xd1\x8e\xd1\x87","method":"_no/one"}\x0a{"jsonrpc":"2.0","id":"c","method":"_no/one"}\x0a{"jsonrpc":"2.0","id":"\xf0\x9f\x98|\x80","method":"_no/one"}\x0a{"json|rpc":"2.0","id":"\xe2\x82\xac","method":"_no/one"}
    Then every request was put together again, and answered under its id

  @scenario:unread
  @ACP-TRN-13
  Scenario: The editor reads nothing while Muse speaks in two sessions
    Given when Muse hears "the first"
    And Muse says 8 texts of "a#·é€😀/", the first of 5003 bytes and each one longer by a byte
    And when Muse hears "the second"
    And Muse says 8 texts of "b#·é€😀/", the first of 5003 bytes and each one longer by a byte
    When there are 2 sessions
    And in one write, "the first" is sent in session 1 and "the second" in session 2, and nothing is read while Muse speaks
    Then nothing was lost in session 1: the user was shown 8 texts of "a#·é€😀/", from 5003 bytes on
    And nothing was lost in session 2: the user was shown 8 texts of "b#·é€😀/", from 5003 bytes on

  @scenario:end-in-two-turns
  @ACP-TRN-12
  Scenario: The editor closes stdin while a turn talks and another one asks
    Given when Muse hears "make one"
    And Muse wants to run "touch one" and asks first
    And when Muse hears "tell me something"
    And Muse says "Once upon", and never ends its sentence
    And the editor will leave the question open
    When there are 2 sessions
    And in session 1, the user sends "make one" and the editor is asked
    And the user sends "tell me something" and has been shown "Once upon"
    Then that is the end, in the middle of both turns: the adapter ends, and no line is cut short
