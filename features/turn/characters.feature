@turn
Feature: Every character arrives

  What cannot be seen stands here by its number: \u2028 is the line separator, \u0085 the next line, \u200d the joiner in
  the middle of a family.

  @scenario:line-separators
  @ACP-TRN-07 @ACP-PR-08 @MUSE-TURN-02 @ACP-CONT-05
  Scenario: Muse says texts with every kind of line separator
    Given Muse says, in escapes, "one\u2028two\u2029three" and then "\u0085four\u000bfive\u000csix\rseven\neight"
    When the user sends "show me the ends of lines"
    Then the user was shown, in escapes, "one\u2028two\u2029three\u0085four\u000bfive\u000csix\rseven\neight"
    And the turn ended with "end_turn"

  @scenario:emoji-in-pieces @soak
  @ACP-PR-08 @MUSE-TURN-02 @ACP-CONT-05
  Scenario: What looks like one character comes in several pieces
    Given Muse says, in escapes, "\ud83d\udc69\u200d" and then "\ud83d\udc67 e" and then "\u0301 \ud83c\udde9"
    And Muse says, in escapes, "\ud83c\uddea \ud83d\ude00"
    When the user sends "show me people"
    Then the user was shown, in escapes, "\ud83d\udc69\u200d\ud83d\udc67 e\u0301 \ud83c\udde9\ud83c\uddea \ud83d\ude00"
    And the turn ended with "end_turn"

  @scenario:emoji-cut-in-two @soak
  @ACP-PR-08 @MUSE-TURN-02 @ACP-CONT-05
  Scenario: The two halves of one character come in two pieces
    Given Muse says, in escapes, "smile \ud83d" and then "\ude00 and wave \ud83d" and then "\udc4b"
    When the user sends "show me a face"
    Then the user was shown, in escapes, "smile \ud83d\ude00 and wave \ud83d\udc4b"
    And the turn ended with "end_turn"

  @scenario:characters-of-the-user
  @ACP-TRN-07 @ACP-PR-05 @ACP-CONT-05
  Scenario: The user sends separators as they are, and an emoji as two halves
    Given Muse says "I see."
    When another session
    And the editor sends the line: {"jsonrpc":"2.0","id":"p","method":"session/prompt","params":{"sessionId":"{{session}}","prompt":[{"type":"text","text":"a\xe2\x80\xa8b\xc2\x85c \\ud83d\\ude00"}]}}
    Then Muse heard, in escapes, "a\u2028b\u0085c \ud83d\ude00"
    And the user was shown "I see."
