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
      | case               | result                                                          | why                    |
      | capitals           | {"outcome":{"outcome":"selected","optionId":"ALLOW_ONCE"}}      | the user rejected tool |
      | beginning          | {"outcome":{"outcome":"selected","optionId":"allow"}}           | the user rejected tool |
      | name               | {"outcome":{"outcome":"selected","optionId":"Allow once"}}      | the user rejected tool |
      | empty              | {"outcome":{"outcome":"selected","optionId":""}}                | the user rejected tool |
      | spaces             | {"outcome":{"outcome":"selected","optionId":" allow_once "}}    | the user rejected tool |

    @ACP-PERM-08 @REQ-ACP-12 @MUSE-PERM-14 @MUSE-PERM-28
    Examples: No option
      | case               | result                                                          | why                    |
      | no-option          | {"outcome":{"outcome":"selected"}}                              | the user rejected tool |
      | option-is-a-number | {"outcome":{"outcome":"selected","optionId":0}}                 | the user rejected tool |

    @ACP-PERM-08 @REQ-ACP-10 @MUSE-PERM-16 @MUSE-PERM-28
    Examples: Outcomes that nobody knows
      | case               | result                                                          | why                    |
      | no-outcome         | {"outcome":{"optionId":"allow_once"}}                           | no approval channel    |
      | unknown-outcome    | {"outcome":{"outcome":"allowed","optionId":"allow_once"}}       | no approval channel    |
      | capital-letter     | {"outcome":{"outcome":"Selected","optionId":"allow_once"}}      | no approval channel    |
      | outcome-outside    | {"outcome":"selected","optionId":"allow_once"}                  | no approval channel    |

    @ACP-PERM-08 @REQ-ACP-12 @MUSE-PERM-16 @MUSE-PERM-28
    Examples: Nothing at all
      | case               | result                                                          | why                    |
      | nothing            | {}                                                              | no approval channel    |
      | null               | null                                                            | no approval channel    |
      | true               | true                                                            | no approval channel    |
      | empty-outcome      | {"outcome":{}}                                                  | no approval channel    |
      | true-outcome       | {"outcome":true}                                                | no approval channel    |
      | array              | [{"outcome":"selected","optionId":"allow_once"}]                | no approval channel    |

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
