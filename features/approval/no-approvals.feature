@approval @no-approvals
Feature: An adapter that has no approvals

  An adapter that was started without approvals asks nobody and runs nothing that would have to be asked about. It says
  why, in the words of whoever asked, and logs no question.

  @scenario:no-approvals
  Scenario Outline: A call that asks is denied: <case>
    Given the adapter was started with "--no-approvals"
    And the adapter was started with "--hook=<hook>"
    And Muse wants to run "touch marker" and asks first
    And Muse says "I leave it."
    When the user sends "please touch the marker"
    Then the editor was not asked
    And the file "marker" does not exist
    And Muse was told "Reject"
    And the model read "<text>"
    And the tool call of "touch marker" ended as "failed", with the text "<text>"
    And the turn ended with "end_turn"
    And the audit log holds no question

    @REQ-ASK-01 @REQ-AUD-05
    Examples: A hook asked, and gave its reason
      | case           | hook                          | text                                                |
      | hook-reason    | /bin/sh {{workspace}}/ask.sh  | files are made here                                 |

    @REQ-ASK-02 @REQ-AUD-05
    Examples: Nobody gave a reason
      | case           | hook                          | text                                                |
      | hook-no-reason | /bin/sh {{workspace}}/bare.sh | tool \"bash\" requires approval (not yet supported) |
      | hook-not-there | no-such-program               | tool \"bash\" requires approval (not yet supported) |

  @scenario:no-approvals-no-hook
  @REQ-ASK-02 @REQ-AUD-05
  Scenario: Without a hook nobody has a reason
    Given the adapter was started with "--no-approvals"
    And Muse wants to run "touch marker" and asks first
    And Muse says "I leave it."
    When the user sends "please touch the marker"
    Then the editor was not asked
    And the file "marker" does not exist
    And Muse was told "Reject"
    And the model read "tool \"bash\" requires approval (not yet supported)"
    And the turn ended with "end_turn"
    And the audit log holds no question

  @scenario:no-approvals-escalation
  @REQ-ESC-08 @REQ-AUD-05
  Scenario: A request for wider rights is denied
    Given the adapter was started with "--no-approvals"
    And Muse wants to run "touch marker" with the rights "workspace-write" because "the user asked for a marker", and asks first
    And Muse says "I leave it."
    When the user sends "please touch the marker"
    Then the editor was not asked
    And the file "marker" does not exist
    And the model read "sandbox escalation to \"workspace-write\" requires approval, but no approval service is composed"
    And the audit log holds no question
