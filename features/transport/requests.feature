@transport
Feature: Requests that cannot be carried out

  Each is answered with the error that says what is wrong with it, and the connection goes on.

  @scenario:unknown-methods
  Scenario Outline: A method that does not exist: <case>
    When the editor calls "<method>" with: {}
    Then the request was refused with the error -32601
    When another session
    Then the connection goes on: a session can be made

    @ACP-RPC-08 @ACP-RPC-21
    Examples:
      | case          | method            |
      | near          | session/newx      |
      | capitals      | Session/New       |
      | of-the-editor | fs/read_text_file |
      | empty         |                   |

    @ACP-RPC-08 @ACP-RPC-21 @ACP-EXT-04
    Examples: An extension that nobody has
      | case          | method            |
      | private       | _nobody/knows     |

  @scenario:odd-requests
  Scenario Outline: A request that an editor should not send is answered all the same: <case>
    When another session
    And the editor calls "<method>" with: <parameters>
    And another session
    Then the request was answered, one way or the other

    @ACP-RPC-20
    Examples: A notification as a request
      | case          | method            | parameters                  |
      | cancel        | session/cancel    | {"sessionId":"{{session}}"} |

    @ACP-INIT-11
    Examples: What the adapter may not have
      | case          | method            | parameters                  |
      | list          | session/list      | {}                          |

  @scenario:requests-in-a-turn
  @ACP-RPC-18
  Scenario: Requests come while a turn runs, and do not wait for its end
    Given Muse wants to run "touch marker" and asks first
    And the editor will leave the question open
    And Muse says "I leave it."
    When the user sends "please touch the marker" and the editor is asked
    And the editor calls "_nobody/knows" with: {}
    And another session
    Then each request was answered while the turn was open
    When the editor answers the open question of session 1 with "Reject"

  @scenario:bad-parameters
  Scenario Outline: Parameters that will not do: <case>
    When another session
    And the editor calls "<method>" with: <parameters>
    Then the request was refused with the error -32602
    When another session
    Then the connection goes on: a session can be made

    @ACP-RPC-09 @ACP-RPC-21
    Examples:
      | case             | method         | parameters                                                |
      | folder-missing   | session/new    | {"mcpServers":[]}                                         |
      | folder-is-number | session/new    | {"cwd":42,"mcpServers":[]}                                |
      | session-missing  | session/prompt | {"prompt":[{"type":"text","text":"hello"}]}               |
      | session-is-null  | session/prompt | {"sessionId":null,"prompt":[{"type":"text","text":"hi"}]} |
      | list             | session/prompt | ["{{session}}"]                                           |
      | text-missing     | session/prompt | {"sessionId":"{{session}}","prompt":[{"type":"text"}]}    |

    @ACP-RPC-09 @ACP-RPC-21 @ACP-PR-12
    Examples: No blocks
      | case             | method         | parameters                                                |
      | prompt-missing   | session/prompt | {"sessionId":"{{session}}"}                               |
      | prompt-is-text   | session/prompt | {"sessionId":"{{session}}","prompt":"hello"}              |
