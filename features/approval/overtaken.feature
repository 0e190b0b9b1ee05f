@approval
Feature: Somebody else decides

  The user of this editor is not the only one who may decide: Muse has a policy and a judge, and another editor may show
  the same session. What they decide counts. The adapter follows Muse, and to be too late is no failure.

  @scenario:decision-stale @soak
  @ACP-PERM-01 @MUSE-PERM-17 @MUSE-PERM-20
  Scenario Outline: One part was allowed elsewhere when the editor's answer arrives: <case>
    Given Muse wants to run "echo one > one.txt && echo two > two.txt" and asks first, once for "echo one" and once for "echo two"
    But another editor answers that with "Allow once", just before this one's answer arrives
    And Muse says "Both are written."
    And the editor will answer "Reject"
    And the editor will answer "Allow once"
    When the user sends "write one and two"
    Then the editor was asked 2 times
    And Muse refused the answer "Reject" and took "Allow once"
    And the file "one.txt" exists
    And the file "two.txt" exists
    And to be too late was no failure: the turn ended with "end_turn"

    Examples:
      | case       |
      | usual      |
      | news-first |

  @scenario:decision-already-resolved
  @ACP-PERM-01 @MUSE-PERM-18
  Scenario Outline: It was refused elsewhere when the editor's answer arrives: <case>
    Given Muse wants to run "touch marker" and asks first
    But <who>, just before <whose> answer arrives
    And Muse says "On we go."
    And the editor will answer "Allow once"
    When the user sends "please touch the marker"
    Then Muse refused the answer "Allow once" and took nothing
    And the file "marker" does not exist yet
    And to be too late was no failure: the turn ended with "end_turn"

    Examples:
      | case               | who                                       | whose        |
      | rejected-elsewhere | another editor answers that with "Reject" | this one's   |
      | denied-by-policy   | the policy decides that as "denied"       | the editor's |
      | denied-by-judge    | the judge decides that as "denied"        | the editor's |

  @scenario:decision-already-granted
  @MUSE-PERM-18 @ACP-TOOL-13
  Scenario: It was allowed elsewhere when the editor's answer arrives
    Given Muse wants to run "touch marker" and asks first
    But another editor answers that with "Allow once", just before this one's answer arrives
    And Muse says "On we go."
    And the editor will answer "Reject"
    When the user sends "please touch the marker"
    Then Muse refused the answer "Reject" and took nothing
    And the file "marker" exists
    And the tool call of "touch marker" ended as "completed"
    And to be too late was no failure: the turn ended with "end_turn"

  @scenario:decided-without-the-editor @soak
  @MUSE-PERM-23 @MUSE-AUD-04
  Scenario Outline: It is decided elsewhere while the editor shows the question: <case>
    Given when Muse hears "touch the marker"
    And Muse wants to run "touch marker" and asks first
    But <who>, while it is shown
    And Muse says "On we go."
    And when Muse hears "anything new"
    And Muse says " Nothing new."
    And the editor will leave the question open
    When the user sends "please touch the marker" and the editor is asked
    And it is decided elsewhere
    Then the question did not hold up the turn, which ended with "end_turn"
    When the editor answers the open question with "Allow once"
    And the user sends "anything new?"
    Then Muse was not told what it knew already
    And the file "marker" <state>
    And the audit log says that what nobody answered ended as "cancelled"

    @ACP-PERM-01
    Examples: Refused
      | case                 | who                                            | state              |
      | policy-denies        | the policy will decide that as "denied"        | does not exist yet |
      | judge-denies         | the judge will decide that as "denied"         | does not exist yet |
      | other-editor-rejects | another editor will answer that with "Reject"  | does not exist yet |

    Examples: Allowed
      | case                 | who                                            | state              |
      | judge-allows         | the judge will decide that as "approved"       | exists             |

  @scenario:decision-stale-then-rejected
  @ACP-PERM-06 @MUSE-PERM-17 @MUSE-PERM-20 @MUSE-PERM-21
  Scenario: The user allows one part too late, and rejects the other
    Given Muse wants to run "echo one > one.txt && echo two > two.txt" and asks first, once for "echo one" and once for "echo two"
    But another editor answers that with "Allow once", just before this one's answer arrives
    And Muse says "Nothing is written."
    And the editor will answer "Allow once"
    And the editor will answer "Reject"
    When the user sends "write one and two"
    Then the editor was asked 2 times
    And Muse refused the answer "Allow once" and took "Reject"
    And the file "one.txt" does not exist
    And the file "two.txt" does not exist
    And to be too late was no failure: the turn ended with "end_turn"

  @scenario:late-answer-while-asked-again
  @ACP-PERM-11 @REQ-ACP-15 @REQ-APPR-18
  Scenario: The editor answers the question of a stopped turn while that of the next turn is open
    Given when Muse hears "the first"
    And Muse wants to run "touch one" and asks first
    And when Muse hears "the second"
    And Muse wants to run "touch two" and asks first
    And Muse says "I leave both."
    And the editor will leave the question open
    And the editor will leave the question open
    When the user sends "the first" and the editor is asked
    And the user stops the turn
    And the user sends "the second" and the editor is asked
    And the editor answers the open question about "touch one" with "Allow once"
    And the editor answers the open question about "touch two" with "Reject"
    Then Muse was never told to go ahead
    And the file "one" does not exist
    And the file "two" does not exist
    And the turn ended with "end_turn"
