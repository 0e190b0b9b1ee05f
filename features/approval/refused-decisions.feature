@approval
Feature: Muse refuses the user's decision

  The user has answered, but Muse does not take the decision. The adapter does not try again, since it cannot know what
  Muse did: the prompt fails, and the user can ask again.

  @scenario:decision-refused
  @ACP-PR-03 @ACP-PR-04 @ACP-PERM-01 @MUSE-PERM-19
  Scenario Outline: Muse refuses the decision: <case>
    Given Muse wants to run "touch marker" and asks first, but will refuse the decision with the error -<code>
    And the editor will answer "Allow once"
    When the user sends "please touch the marker"
    Then the prompt failed with the error -32603
    And the error names Muse's code -<code>, and nothing of its words "words of Muse"
    And Muse was told "Allow once"
    And the file "marker" does not exist yet

    Examples:
      | case            | code  |
      | not-found       | 32050 |
      | choice-invalid  | 32052 |
      | no-reviewer     | 32054 |
      | internal        | 32603 |
      | overloaded      | 32001 |
      | rejected        | 32030 |
