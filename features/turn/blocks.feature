@turn
Feature: What a prompt is made of

  @scenario:prompt-blocks
  @ACP-PR-06 @ACP-CONT-04 @ACP-CONT-06 @ACP-CONT-07 @ACP-CONT-08
  Scenario: Links alone and among texts, and blocks that cannot be taken
    Given whatever Muse hears, it says "I see."
    When another session
    And the editor calls "session/prompt" with: {"sessionId":"{{session}}","prompt":[{"type":"resource_link","name":"A file","uri":"file://{{workspace}}/harbour.txt"}]}
    And the editor calls "session/prompt" with: {"sessionId":"{{session}}","prompt":[{"type":"text","text":"Compare this:","annotations":null,"_meta":null},{"type":"resource_link","name":"Another","uri":"file://{{workspace}}/lighthouse.txt","title":null,"description":null,"mimeType":null,"size":null,"annotations":null,"_meta":{}},{"type":"text","text":"with the first.","annotations":{"priority":null,"audience":null},"_meta":{}}]}
    And the editor calls "session/prompt" with: {"sessionId":"{{session}}","prompt":[{"type":"text","text":"Look"},{"type":"video","data":"AAAA"}]}
    And the editor calls "session/prompt" with: {"sessionId":"{{session}}","prompt":[{"type":"text","text":"Listen"},{"type":"audio","mimeType":"audio/wav","data":"UklGRg=="}]}
    Then prompt 1 reached Muse, in this order: "harbour"
    And prompt 2 reached Muse, in this order: "Compare this: | lighthouse | with the first."
    And prompt 3 was refused with the error -32602
    And prompt 4 was refused, or Muse heard more than "Listen"

  @scenario:prompt-with-a-file
  @ACP-CONT-03
  Scenario: A file whose text stands in the prompt
    Given an adapter that takes embedded resources
    And whatever Muse hears, it says "I see."
    When another session
    And the editor calls "session/prompt" with: {"sessionId":"{{session}}","prompt":[{"type":"text","text":"What does it say?"},{"type":"resource","resource":{"uri":"file://{{workspace}}/note.txt","mimeType":"text/plain","text":"The lamp is lit at nine."}}]}
    Then prompt 1 reached Muse, in this order: "What does it say? | The lamp is lit at nine."

  @scenario:prompt-while-busy @soak
  @ACP-PR-13 @ACP-PR-10
  Scenario: A second prompt comes while the first one runs, which is then stopped
    Given when Muse hears "count"
    And Muse says "One, two", and never ends its sentence
    And whatever else Muse hears, it says "Nothing new."
    When in one write, "count" and "hurry up" are sent, and the user has been shown "One, two"
    And the user stops the turn
    Then both prompts were answered: the first was stopped, and the second was carried out or refused
    When the user sends "anything new?"
    Then the session went on: the next turn ended with "end_turn"
