@transport
Feature: Texts of any length

  The protocol knows no longest line. A text of any length arrives whole, or is refused with an error; the adapter neither
  dies of it nor falls silent. The texts are made of "#·é€😀/", again and again, with the number of the repetition in
  place of the "#".

  @scenario:long-of-the-user
  @ACP-TRN-08
  Scenario Outline: The user sends a long text: <case>
    Given Muse says "Read."
    When the user sends a text of <bytes> bytes
    And the user sends "and now?"
    Then Muse heard a text of <bytes> bytes, or the prompt was refused
    And the adapter went on: the next turn ended with "end_turn"

    Examples:
      | case | bytes   |
      | 64k  | 65537   |
      | 1m   | 1048579 |

  @scenario:long-of-muse
  @ACP-TRN-08 @ACP-PR-08
  Scenario: Muse says a long text
    Given Muse says a text of 65537 bytes
    And Muse says "That is all."
    When the user sends "tell me everything"
    And the user sends "and now?"
    Then the user was shown a text of 65537 bytes, and "That is all."
    And the adapter went on: the next turn ended with "end_turn"

  @scenario:longer-of-muse
  @ACP-TRN-08 @MUSE-TURN-23
  Scenario: Muse says more than is passed on of one message
    Given Muse says a text of 1048579 bytes
    And Muse says "That is all."
    When the user sends "tell me everything"
    And the user sends "and now?"
    Then the user was shown a text of 1048579 bytes, or its beginning
    And of the text of 1048579 bytes the user was shown 65536 UTF-16 units, and that it was cut
    And the adapter went on: the next turn ended with "end_turn"

  @scenario:long-output
  @ACP-TRN-08 @ACP-TOOL-14
  Scenario Outline: A tool writes a long text: <case>
    Given Muse wants to run "true # all of it" and does not ask, and it writes a text of <bytes> bytes
    And Muse says "That is all."
    When the user sends "show me the list"
    And the user sends "and now?"
    Then the tool call of "all of it" showed a text of <bytes> bytes<or less>
    And the adapter went on: the next turn ended with "end_turn"

    Examples:
      | case | bytes   | or less            |
      | 64k  | 65537   |                    |
      | 1m   | 1048579 | , or its beginning |
