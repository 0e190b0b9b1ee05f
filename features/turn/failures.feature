@turn @failure
Feature: A turn fails

  A turn that fails is answered with an error that says why. The adapter never tries again by itself: what the turn has
  done so far would be done twice. The session is ready for the next prompt.

  @scenario:turn-fails
  Scenario Outline: The model or the host reports a failure: <case>
    Given when Muse hears "work"
    And Muse says "I begin."
    And the turn fails at Muse as "<kind>", with the message "<message>"
    And when Muse hears "again"
    And Muse says " Better now."
    When the user sends "work"
    Then the user was shown "I begin."
    And the prompt failed with the error -<code>
    And the error is about "<kind>", and says "<message>"
    And the prompt "work" reached Muse once
    When the user sends "again"
    Then the session went on: the next turn ended with "end_turn"
    And a new Muse took the next turn

    @ACP-PR-03 @ACP-PR-04 @MUSE-TURN-18 @MUSE-FAIL-01 @MUSE-FAIL-02 @MUSE-FAIL-03
    Examples: Failures of any kind
      | case              | kind             | message                                 | code  |
      | model             | modelError       | The model provider answered 503         | 32603 |
      | configuration     | configError      | The MCP server files did not start      | 32603 |
      | environment       | environmentError | The workspace is not available          | 32603 |
      | log               | logError         | The session log cannot be written       | 32603 |
      | launch            | launchError      | The turn could not be launched          | 32603 |
      | unknown           | moonPhaseWrong   | Something that nobody has heard of      | 32603 |

    @ACP-PR-03 @ACP-PR-04 @MUSE-TURN-17 @MUSE-FAIL-01 @MUSE-FAIL-02 @MUSE-FAIL-03
    Examples: Nobody is logged in
      | case              | kind             | message                                 | code  |
      | login             | authRequired     | The model provider answered 401         | 32000 |

  @scenario:turn-out-of-steps
  @ACP-PR-03 @ACP-PR-04 @MUSE-TURN-16 @MUSE-FAIL-01
  Scenario: The turn takes too many steps
    Given Muse says "Still working."
    And the turn fails at Muse as "stepLimit", with the message "The turn took 50 steps"
    When the user sends "work"
    Then the user was shown "Still working."
    And the turn ran out of steps and ended with "max_turn_requests"
    And the prompt "work" reached Muse once

  @scenario:muse-dies
  Scenario Outline: Muse ends in the middle of a turn: <case>
    Given when Muse hears "work"
    And Muse <does> <what>
    And Muse ends with the exit code <code>
    And when Muse hears "again"
    And Muse says "Back again."
    When the user sends "work"
    Then the prompt failed with the error -32603
    And the prompt "work" reached Muse once
    When the user sends "again"
    Then the session went on: the next turn ended with "end_turn"
    And a new Muse took the next turn
    And the user was shown "<shown>"

    @ACP-PR-03 @ACP-PR-04 @MUSE-TURN-19 @MUSE-FAIL-01 @MUSE-FAIL-03
    Examples:
      | case           | does         | what                                  | code | shown                 |
      | in-its-thought | thinks       | "Let me see"                          | 1    | Back again.           |
      | after-a-text   | says         | "I begin. "                           | 1    | I begin. Back again.  |
      | after-a-tool   | wants to run | "echo ran >> marker" and does not ask | 137  | Back again.           |
      | as-if-well     | says         | "I begin. "                           | 0    | I begin. Back again.  |

  @scenario:muse-dies-before-a-word
  @ACP-PR-03 @ACP-PR-04 @MUSE-TURN-19 @MUSE-FAIL-01 @MUSE-FAIL-03
  Scenario: Muse ends before it has said a word
    Given when Muse hears "work"
    And Muse ends with the exit code 1
    And when Muse hears "again"
    And Muse says "Back again."
    When the user sends "work"
    Then the prompt failed with the error -32603
    And the prompt "work" reached Muse once
    When the user sends "again"
    Then the session went on: the next turn ended with "end_turn"
    And a new Muse took the next turn
    And the user was shown "Back again."

  @scenario:muse-dies-early
  Scenario Outline: Muse ends before it was given the turn: <case>
    Given Muse will end with the exit code <code> when "<method>" is called for the first time
    And when Muse hears "again"
    And Muse says "Here I am."
    When the user sends "work"
    Then the prompt failed with the error -32603
    And the error says that the turn was never sent
    When the user sends "again"
    Then the session went on: the next turn ended with "end_turn"
    And the prompt "work" never reached Muse
    And the user was shown "Here I am."

    @ACP-PR-03 @ACP-PR-04 @MUSE-TURN-19 @MUSE-TURN-20 @MUSE-FAIL-03 @MUSE-FAIL-05
    Examples:
      | case      | method        | code |
      | at-start  | serve         | 1    |
      | handshake | initialize    | 1    |
      | session   | session/start | 1    |

  @scenario:muse-dies-when-given-the-turn
  @ACP-PR-03 @ACP-PR-04 @MUSE-TURN-19 @MUSE-FAIL-01 @MUSE-FAIL-03
  Scenario: Muse ends when it is given the turn
    Given Muse will end with the exit code 1 when "turn/start" is called for the first time
    And when Muse hears "again"
    And Muse says "Here I am."
    When the user sends "work"
    Then the prompt failed with the error -32603
    When the user sends "again"
    Then the session went on: the next turn ended with "end_turn"
    And a new Muse took the next turn
    And the prompt "work" reached Muse once
    And the user was shown "Here I am."

  @scenario:muse-dies-when-told @soak
  @ACP-PR-03 @ACP-PR-04 @ACP-PERM-01 @MUSE-TURN-19 @MUSE-FAIL-01 @MUSE-FAIL-03
  Scenario: Muse ends when it is told to go ahead
    Given Muse will end with the exit code 1 when "approval/decide" is called for the first time
    And when Muse hears "work"
    And Muse wants to run "touch marker" and asks first
    And when Muse hears "again"
    And Muse says "Here I am."
    And the editor will answer "Allow once"
    When the user sends "work"
    Then the prompt failed with the error -32603
    And the prompt "work" reached Muse once
    When the user sends "again"
    Then the session went on: the next turn ended with "end_turn"
    And a new Muse took the next turn
    And the file "marker" does not exist yet
    And the user was shown "Here I am."

  @scenario:muse-dies-in-a-tool
  @ACP-PR-03 @ACP-PR-04 @ACP-PERM-01 @MUSE-TURN-19 @MUSE-FAIL-01 @MUSE-FAIL-03
  Scenario Outline: Muse ends while a command is asked about, or runs: <case>
    Given when Muse hears "work"
    And Muse wants to run "<command>" and asks first
    But Muse <end>
    And when Muse hears "again"
    And Muse says "Back again."
    And the editor will <answer>
    When the user sends "work"
    Then the prompt failed with the error -32603
    And the prompt "work" reached Muse once
    And the file "begun" <state>
    And the file "finished" does not exist yet
    When the user sends "again"
    Then the session went on: the next turn ended with "end_turn"
    And a new Muse took the next turn
    And the user was shown "Back again."

    Examples:
      | case    | command                                                    | end                                                             | answer                  | state              |
      | asked   | echo begun > begun; echo begun; sleep 1000; touch finished | ends with the exit code 1 while that is asked about             | leave the question open | does not exist yet |
      | granted | echo begun > begun; echo begun; sleep 1000; touch finished | ends with the exit code 1 when that was allowed, before it runs | answer "Allow once"     | does not exist yet |
      | running | echo begun > begun; echo begun; sleep 1000; touch finished | ends with the exit code 1 while that runs                       | answer "Allow once"     | exists             |
      | after   | echo begun > begun                                         | ends with the exit code 1                                       | answer "Allow once"     | exists             |

  @scenario:muse-noise
  Scenario Outline: Muse writes a line that means nothing: <case>
    Given Muse says "Hello"
    And Muse writes the line: <line>
    And Muse says " there."
    When the user sends "hello"
    Then the turn went on and ended with "end_turn"
    And the user was shown "Hello there."

    @ACP-PR-08 @MUSE-FAIL-04
    Examples: No message
      | case      | line                              |
      | not-json  | thread 'main' panicked: oh no     |
      | cut-short | {"jsonrpc":"2.0","method":"item/  |
      | number    | 42                                |
      | blank     |                                   |

    @ACP-PR-08 @MUSE-TURN-13
    Examples: A message that is about nothing
      | case          | line                                                                                                                             |
      | unknown       | {"jsonrpc":"2.0","method":"moon/phaseChanged","params":{"phase":"full"},"emittedAtMs":1791194400500}                             |
      | not-asked-for | {"jsonrpc":"2.0","id":999999,"result":{}}                                                                                        |
      | other-session | {"jsonrpc":"2.0","method":"item/delta","params":{"sessionId":"01990000-0000-7000-8000-0000000000ff","viewCursor":"v:01990000-0000-7000-8000-0000000000ff:9","itemId":"01990000-0000-4000-8000-0000000000fe","field":"text","delta":"not yours"},"emittedAtMs":1791194400500} |
