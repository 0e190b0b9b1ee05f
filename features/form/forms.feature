@form
Feature: Muse asks its user

  What Muse wants to know from its user is shown as one form. What the user fills in reaches Muse; that the user does not
  answer is no answer, and an answer that does not fit the form is none either.

  @scenario:form-answered
  @ACP-ELIC-01 @ACP-ELIC-03 @ACP-ELIC-04 @MUSE-FORM-01 @MUSE-FORM-02 @MUSE-FORM-04
  Scenario: The user chooses
    Given an editor that shows forms
    And Muse asks the user "Which colour?", with the choices "red | blue"
    And Muse says "Blue it is."
    And the editor will fill in "Which colour?" with "blue"
    When the user sends "paint it"
    Then the editor was shown a form once, about "Which colour?", with the choices "red | blue"
    And Muse was told the answer "blue"
    And after the form the turn went on and ended with "end_turn"

  @scenario:form-several-choices
  @MUSE-FORM-02 @MUSE-FORM-04
  Scenario: The user takes several of the choices
    Given an editor that shows forms
    And Muse asks the user "Which ones?", with the choices "tests | docs | code", of which several may be taken
    And Muse says "Both then."
    And the editor will choose "docs | tests" for "Which ones?"
    When the user sends "write something"
    Then the editor was shown a form once, about "Which ones?", with the choices "tests | docs | code"
    And Muse was told the answer "docs | tests"
    And after the form the turn went on and ended with "end_turn"

  @scenario:form-two-questions
  @MUSE-FORM-01 @MUSE-FORM-02 @MUSE-FORM-03 @MUSE-FORM-04
  Scenario: Two questions are one form, and one of them is answered in words
    Given an editor that shows forms
    And Muse asks the user "Which colour?", with the choices "red | blue", and "Why?", to be answered in words
    And Muse says "I see."
    And the editor will fill in "Which colour?" with "red", and "Why?" with "It is \"warm\"."
    When the user sends "paint it"
    Then the editor was shown a form once, about "Which colour?", with the choices "red | blue"
    And the form had the fields "Which colour? | Why?", all of them required
    And Muse was told the answer "red | It is \"warm\"."
    And after the form the turn went on and ended with "end_turn"

  @scenario:form-not-answered
  @ACP-ELIC-07 @MUSE-FORM-05
  Scenario Outline: The user does not answer: <case>
    Given an editor that shows forms
    And Muse asks the user "Which colour?", with the choices "red | blue"
    And Muse says "As you like."
    And the editor will <do> the form
    When the user sends "paint it"
    Then Muse was told no answer
    And Muse was told that nobody answers, because "client declined"
    And after the form the turn went on and ended with "end_turn"

    Examples:
      | case      | do      |
      | declined  | decline |
      | dismissed | dismiss |

  @scenario:form-bad-answer
  @ACP-ELIC-07 @ACP-ELIC-09 @MUSE-FORM-06
  Scenario Outline: The answer does not fit the form: <case>
    Given an editor that shows forms
    And Muse asks the user "Which colour?", with the choices "red | blue"
    And the editor will answer the form with the result: <result>
    When the user sends "paint it"
    Then Muse was told no answer
    And Muse was told that nobody answers, because "client input failed validation or delivery"
    And for want of an answer the prompt failed with the error -32603

    Examples:
      | case           | result                                          |
      | unknown-choice | {"action":"accept","content":{"q1":"green"}}    |
      | missing        | {"action":"accept","content":{}}                |
      | no-content     | {"action":"accept"}                             |
      | wrong-type     | {"action":"accept","content":{"q1":1}}          |
      | several        | {"action":"accept","content":{"q1":["blue"]}}   |
      | unknown-action | {"action":"accepted","content":{"q1":"blue"}}   |
      | no-action      | {"content":{"q1":"blue"}}                       |

  @scenario:form-bad-choice
  @ACP-ELIC-09 @MUSE-FORM-06
  Scenario: The editor sends a choice that the form does not have
    Given an editor that shows forms
    And Muse asks the user "Which colour?", with the choices "red | blue"
    And the editor will fill in "Which colour?" with "green"
    When the user sends "paint it"
    Then Muse was told no answer
    And for want of an answer the prompt failed with the error -32603
    And the error is about the field "q1"

  @scenario:form-error
  @ACP-ELIC-07 @MUSE-FORM-06
  Scenario: The editor answers the form with an error
    Given an editor that shows forms
    And Muse asks the user "Which colour?", with the choices "red | blue"
    And the editor will answer the form with the error: {"code":-32099,"message":"the window is closed"}
    When the user sends "paint it"
    Then Muse was told no answer
    And Muse was told that nobody answers, because "client input failed validation or delivery"
    And for want of an answer the prompt failed with the error -32099

  @scenario:form-no-capability
  @ACP-ELIC-01 @ACP-ELIC-02 @MUSE-FORM-07
  Scenario: The editor shows no forms
    Given Muse asks the user "Which colour?", with the choices "red | blue"
    When the user sends "paint it"
    Then the editor was shown no form
    And Muse was told no answer
    And Muse was told that nobody answers, because "client has no form elicitation support"
    And for want of an answer the prompt failed with the error -32603

  @scenario:form-no-mode
  @ACP-ELIC-01 @ACP-ELIC-02
  Scenario Outline: The editor names forms, and offers none: <case>
    Given an editor with the capabilities: <capabilities>
    And Muse asks the user "Which colour?", with the choices "red | blue"
    When the user sends "paint it"
    Then the editor was shown no form
    And Muse was told no answer

    Examples:
      | case      | capabilities                  |
      | empty     | {"elicitation":{}}            |
      | null      | {"elicitation":{"form":null}} |
      | link-only | {"elicitation":{"url":{}}}    |

  @scenario:form-late-answer
  @MUSE-FORM-08
  Scenario: The form of a stopped turn is filled in while the next turn runs
    Given an editor that shows forms
    And when Muse hears "paint it"
    And Muse asks the user "Which colour?", with the choices "red | blue"
    And when Muse hears "tell me something"
    And Muse says "Once upon", and never ends its sentence
    And the editor will leave the form open
    When the user sends "paint it" and the editor is shown a form
    And the user stops the turn
    And the user sends "tell me something" and has been shown "Once upon"
    And the editor fills in "Which colour?" of the open form with "red"
    And the user stops the turn
    Then the editor was shown a form once, about "Which colour?"
    And Muse was told no answer

  @scenario:form-stuck
  @MUSE-FORM-09
  Scenario: Muse takes the answer, and does not go on
    Given the adapter was started with "--stall-deadline=2s"
    And an editor that shows forms
    And when Muse hears "paint"
    And Muse asks the user "Which colour?", with the choices "red | blue"
    But Muse takes the answer, and then says nothing more of it
    And when Muse hears "again"
    And Muse says "Back again."
    And the editor will fill in "Which colour?" with "blue"
    When the user sends "paint it"
    Then the prompt failed with the error -32603, for Muse did not move
    And what did not move was cancelled at Muse
    And the user was asked for input once, whatever became of it
    When the user sends "again"
    Then the user was shown "Back again."
