@approval
Feature: An answer that allows nothing

  Only an option that was offered in this very question, and that allows, lets a command run. Whatever else the editor
  answers, the command does not run.

  @scenario:approval-unknown-option
  @ACP-PERM-08 @REQ-ACP-09 @MUSE-PERM-14 @MUSE-PERM-28
  Scenario: The editor answers with an option that was never offered
    Given Muse wants to run "touch marker" and asks first
    And the editor will answer with the option id "allow-forever"
    When the user sends "please touch the marker"
    Then the editor was asked once, about "touch marker", with "Allow once | Always allow in this workspace: touch ... | Reject"
    And the file "marker" does not exist
    And Muse was never told to go ahead
    And the prompt was answered
    And Muse was sent no decision
    And the prompt failed with the error -32603
    And the call was closed with the reason "Error: the user rejected tool \"bash\""

  @scenario:approval-option-of-earlier-question
  @ACP-PERM-08 @REQ-ACP-09
  Scenario: The editor answers with an option of an earlier question
    Given Muse wants to run "touch one" and asks first, offering "Allow the first" and "Reject the first"
    And Muse wants to run "touch two" and asks first, offering "Allow the second" and "Reject the second"
    And the editor will answer "Allow the first"
    And the editor will answer with the option id "allow_first"
    When the user sends "please touch one, then two"
    Then the editor was asked twice
    And the file "one" exists
    And the file "two" does not exist
    And the prompt was answered

  @scenario:approval-dismissed-with-an-option
  @ACP-PERM-07 @ACP-PERM-08 @REQ-ACP-08
  Scenario: The editor dismisses the question, and names an option all the same
    Given Muse wants to run "touch marker" and asks first
    And the editor will answer with the result: {"outcome":{"outcome":"cancelled","optionId":"allow_once"}}
    When the user sends "please touch the marker"
    Then the file "marker" does not exist
    And Muse was never told to go ahead
    And the prompt was answered
    And Muse was told "Reject"

  @scenario:approval-bad-answer
  Scenario Outline: The editor's answer cannot be read as one: <case>
    Given Muse wants to run "touch marker" and asks first
    And the editor will answer with the result: <result>
    When the user sends "please touch the marker"
    Then the file "marker" does not exist
    And Muse was never told to go ahead
    And the prompt was answered
    And Muse was sent no decision
    And the prompt failed with the error -32603
    And the call was closed with the reason "<why>"

    @ACP-PERM-08 @REQ-ACP-09 @MUSE-PERM-14 @MUSE-PERM-28
    Examples: Options that nobody offered
      | case      | result                                                       | why                    |
      | capitals  | {"outcome":{"outcome":"selected","optionId":"ALLOW_ONCE"}}   | the user rejected tool |
      | beginning | {"outcome":{"outcome":"selected","optionId":"allow"}}        | the user rejected tool |
      | kind      | {"outcome":{"outcome":"selected","optionId":"allow_always"}} | the user rejected tool |
      | place     | {"outcome":{"outcome":"selected","optionId":"0"}}            | the user rejected tool |
      | name      | {"outcome":{"outcome":"selected","optionId":"Allow once"}}   | the user rejected tool |
      | empty     | {"outcome":{"outcome":"selected","optionId":""}}             | the user rejected tool |
      | spaces    | {"outcome":{"outcome":"selected","optionId":" allow_once "}} | the user rejected tool |

    @ACP-PERM-08 @REQ-ACP-12 @MUSE-PERM-14 @MUSE-PERM-28
    Examples: No option
      | case                | result                                                                  | why                    |
      | no-option           | {"outcome":{"outcome":"selected"}}                                      | the user rejected tool |
      | option-is-a-number  | {"outcome":{"outcome":"selected","optionId":0}}                         | the user rejected tool |
      | option-is-null      | {"outcome":{"outcome":"selected","optionId":null}}                      | the user rejected tool |
      | option-is-true      | {"outcome":{"outcome":"selected","optionId":true}}                      | the user rejected tool |
      | option-is-a-list    | {"outcome":{"outcome":"selected","optionId":["allow_once"]}}            | the user rejected tool |
      | option-is-an-object | {"outcome":{"outcome":"selected","optionId":{"optionId":"allow_once"}}} | the user rejected tool |
      | option-outside      | {"outcome":{"outcome":"selected"},"optionId":"allow_once"}              | the user rejected tool |
      | option-in-capitals  | {"outcome":{"outcome":"selected","OPTIONID":"allow_once"}}              | the user rejected tool |

    @ACP-PERM-08 @REQ-ACP-10 @MUSE-PERM-16 @MUSE-PERM-28
    Examples: Outcomes that nobody knows
      | case                 | result                                                       | why                 |
      | no-outcome           | {"outcome":{"optionId":"allow_once"}}                        | no approval channel |
      | unknown-outcome      | {"outcome":{"outcome":"allowed","optionId":"allow_once"}}    | no approval channel |
      | capital-letter       | {"outcome":{"outcome":"Selected","optionId":"allow_once"}}   | no approval channel |
      | outcome-outside      | {"outcome":"selected","optionId":"allow_once"}               | no approval channel |
      | outcome-is-null      | {"outcome":{"outcome":null,"optionId":"allow_once"}}         | no approval channel |
      | outcome-is-a-list    | {"outcome":{"outcome":["selected"],"optionId":"allow_once"}} | no approval channel |
      | outcome-is-an-option | {"outcome":{"outcome":"allow_once"}}                         | no approval channel |
      | other-wrapping       | {"outcome":{"selected":{"optionId":"allow_once"}}}           | no approval channel |
      | words-of-muse        | {"decision":"approved","choiceId":"allow_once"}              | no approval channel |
      | no-wrapping          | "allow_once"                                                 | no approval channel |
      | outcome-in-capitals  | {"OUTCOME":{"outcome":"selected","optionId":"allow_once"}}   | no approval channel |

    @ACP-PERM-08 @REQ-ACP-12 @MUSE-PERM-16 @MUSE-PERM-28
    Examples: Nothing at all
      | case          | result                                           | why                 |
      | nothing       | {}                                               | no approval channel |
      | null          | null                                             | no approval channel |
      | true          | true                                             | no approval channel |
      | empty-outcome | {"outcome":{}}                                   | no approval channel |
      | true-outcome  | {"outcome":true}                                 | no approval channel |
      | array         | [{"outcome":"selected","optionId":"allow_once"}] | no approval channel |

  @scenario:approval-result-and-error
  @ACP-PERM-08 @REQ-ACP-12 @MUSE-PERM-16 @MUSE-PERM-28
  Scenario: The editor's answer is a grant and an error at once
    Given Muse wants to run "touch marker" and asks first
    And the editor will answer with the result and the error: {"result":{"outcome":{"outcome":"selected","optionId":"allow_once"}},"error":{"code":-32603,"message":"The question could not be shown."}}
    When the user sends "please touch the marker"
    Then the file "marker" does not exist
    And Muse was never told to go ahead
    And the prompt was answered
    And Muse was sent no decision
    And the prompt failed with the error -32603
    And the call was closed with the reason "Error: tool \"bash\" requires approval, but no approval channel is available"

  @scenario:approval-error @soak
  @ACP-PERM-08 @REQ-ACP-11 @MUSE-PERM-15 @MUSE-PERM-28
  Scenario Outline: The editor answers with an error: <case>
    Given Muse wants to run "touch marker" and asks first
    And the editor will answer with the error: {"code":-<code>,"message":"The question could not be shown."}
    When the user sends "please touch the marker"
    Then the file "marker" does not exist
    And Muse was never told to go ahead
    And the prompt was answered
    And Muse was sent no decision
    And the prompt failed with the error -<code>
    And the call was closed with the reason "Error: tool \"bash\" requires approval, but no approval channel is available"

    Examples:
      | case           | code  |
      | internal       | 32603 |
      | unknown-method | 32601 |
      | withdrawn      | 32800 |
      | login          | 32000 |

  @scenario:approval-odd-error
  @ACP-PERM-08 @REQ-ACP-11 @MUSE-PERM-15 @MUSE-PERM-28
  Scenario Outline: The editor answers with an error that says more, or has an unusual code: <case>
    Given Muse wants to run "touch marker" and asks first
    And the editor will answer with the error: <error>
    When the user sends "please touch the marker"
    Then the file "marker" does not exist
    And Muse was never told to go ahead
    And the prompt was answered
    And Muse was sent no decision
    And the prompt failed with the error <code>
    And the call was closed with the reason "Error: tool \"bash\" requires approval, but no approval channel is available"

    Examples: An error with data
      | case          | code   | error                                                                                                                      |
      | data-approved | -32603 | {"code":-32603,"message":"approved","data":"approved"}                                                                     |
      | data-true     | -32601 | {"code":-32601,"message":"approved","data":true}                                                                           |
      | data-outcome  | -32603 | {"code":-32603,"message":"It could not be shown.","data":{"outcome":{"outcome":"selected","optionId":"allow_once"}}}       |
      | data-result   | -32800 | {"code":-32800,"message":"It was withdrawn.","data":{"result":{"outcome":{"outcome":"selected","optionId":"allow_once"}}}} |

    Examples: A code that is not usual, or none
      | case            | code   | error                                              |
      | minus-one       | -1     | {"code":-1,"message":"It could not be shown."}     |
      | one             | 1      | {"code":1,"message":"approved"}                    |
      | two-hundred     | 200    | {"code":200,"message":"OK"}                        |
      | parse-error     | -32700 | {"code":-32700,"message":"It could not be shown."} |
      | fraction        | -32603 | {"code":0.5,"message":"It could not be shown."}    |
      | code-is-a-text  | -32603 | {"code":"allow_once","message":"allow_once"}       |
      | no-code         | -32603 | {"message":"allow_once"}                           |
      | error-is-a-text | -32603 | "allow_once"                                       |

  @scenario:approval-answer-with-twins
  @MUSE-PERM-32 @MUSE-PERM-28
  Scenario Outline: The editor's answer says one thing twice, and not the same: <case>
    Given Muse wants to run "touch marker" and asks first
    And the editor will answer with the members: <members>
    When the user sends "please touch the marker"
    Then the file "marker" does not exist
    And Muse was never told to go ahead
    And Muse was sent no decision
    And the prompt failed with the error -32603
    And the call was closed with the reason "no approval channel"

    Examples:
      | case     | members                                                                                               |
      | outcome  | "result":{"outcome":{"outcome":"cancelled","outcome":"selected","optionId":"allow_once"}}             |
      | escaped  | "result":{"outcome":{"outcome":"cancelled","outc\\u006fme":"selected","optionId":"allow_once"}}       |
      | option   | "result":{"outcome":{"outcome":"selected","optionId":"abort","optionId":"allow_once"}}                |
      | outcomes | "result":{"outcome":{"outcome":"cancelled"},"outcome":{"outcome":"selected","optionId":"allow_once"}} |

  @scenario:approval-rejected-then-allowed
  @ACP-RPC-16 @ACP-PERM-06 @REQ-ACP-08 @MUSE-PERM-12
  Scenario: The editor rejects, and allows under the same id
    Given Muse wants to run "touch marker" and asks first
    And Muse says "I leave it."
    And the editor will answer "Reject", and then the same question with "Allow once"
    When the user sends "please touch the marker"
    Then the file "marker" does not exist
    And Muse was told "Reject"
    And the turn ended with "end_turn"

  @scenario:approval-allowed-then-rejected
  @ACP-RPC-16 @ACP-PERM-05 @REQ-ACP-08 @MUSE-PERM-11
  Scenario: The editor allows, and rejects under the same id
    Given Muse wants to run "echo ran >> marker" and asks first
    And Muse says "Done."
    And the editor will answer "Allow once", and then the same question with "Reject"
    When the user sends "please write the marker"
    Then the file "marker" holds "ran" once
    And Muse was told "Allow once"
    And the turn ended with "end_turn"

  @scenario:approval-id-of-other-type
  @ACP-RPC-16 @ACP-PERM-06 @REQ-ACP-08 @MUSE-PERM-12
  Scenario: The editor allows what has the id of the question, but as a text where that is a number, and rejects the question
    Given Muse wants to run "touch marker" and asks first
    And Muse says "I leave it."
    And the editor will answer "Allow once" under the id in the other type, and then the question with "Reject"
    When the user sends "please touch the marker"
    Then the file "marker" does not exist
    And Muse was told "Reject"
    And the turn ended with "end_turn"

  @scenario:approval-rejected-with-more
  @ACP-PERM-06 @REQ-ACP-08 @MUSE-PERM-12
  Scenario Outline: The editor rejects, and says more beside it: <case>
    Given Muse wants to run "touch marker" and asks first
    And Muse says "I leave it."
    And the editor will answer with the result: <result>
    When the user sends "please touch the marker"
    Then the file "marker" does not exist
    And Muse was told "Reject"
    And the turn ended with "end_turn"

    Examples:
      | case    | result                                                                                          |
      | outside | {"optionId":"allow_once","outcome":{"outcome":"selected","optionId":"abort"},"approved":true}   |
      | inside  | {"outcome":{"kind":"allow_once","outcome":"selected","optionId":"abort","option":"allow_once"}} |
      | options | {"outcome":{"outcome":"selected","optionId":"abort","optionIds":["abort","allow_once"]}}        |

  @scenario:approval-id-of-a-request
  @ACP-RPC-15 @ACP-PERM-06 @REQ-ACP-08 @MUSE-PERM-12
  Scenario: The editor sends a request that has the id of the question, and then rejects
    Given Muse wants to run "touch marker" and asks first
    And Muse says "I leave it."
    And the editor will leave the question open
    When the user sends "please touch the marker" and the editor is asked
    And the editor sends the line: {"jsonrpc":"2.0","id":{{question}},"method":"nope/nope","params":{"outcome":{"outcome":"selected","optionId":"allow_once"}}}
    Then the file "marker" does not exist yet
    When the editor answers the open question with "Reject"
    Then the file "marker" does not exist
    And Muse was told "Reject"
    And the turn ended with "end_turn"
