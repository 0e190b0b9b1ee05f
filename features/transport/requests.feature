@transport
Feature: Requests that cannot be carried out

  Each is answered with the error that says what is wrong with it, and the connection goes on.

  @scenario:unknown-methods
  @ACP-RPC-08 @ACP-RPC-21
  Scenario Outline: A method that does not exist: <case>
    When the editor calls "<method>" with: {}
    Then the request was refused with the error -32601
    When another session
    Then the connection goes on: a session can be made

    Examples:
      | case          | method            |
      | near          | session/newx      |
      | capitals      | Session/New       |
      | of-the-editor | fs/read_text_file |
      | private       | _nobody/knows     |
      | empty         |                   |

  @scenario:bad-parameters
  Scenario Outline: Parameters that will not do: <case>
    When another session
    And the editor calls "<method>" with: <parameters>
    Then the request was refused with the error -32602
    When another session
    Then the connection goes on: a session can be made

    @ACP-RPC-09 @ACP-RPC-21
    Examples:
      | case             | method         | parameters                                                |
      | folder-missing   | session/new    | {"mcpServers":[]}                                         |
      | folder-is-number | session/new    | {"cwd":42,"mcpServers":[]}                                |
      | session-missing  | session/prompt | {"prompt":[{"type":"text","text":"hello"}]}               |
      | session-is-null  | session/prompt | {"sessionId":null,"prompt":[{"type":"text","text":"hi"}]} |
      | list             | session/prompt | ["{{session}}"]                                           |
      | text-missing     | session/prompt | {"sessionId":"{{session}}","prompt":[{"type":"text"}]}    |

    @ACP-RPC-09 @ACP-RPC-21 @ACP-PR-12
    Examples: No blocks
      | case             | method         | parameters                                                |
      | prompt-missing   | session/prompt | {"sessionId":"{{session}}"}                               |
      | prompt-is-text   | session/prompt | {"sessionId":"{{session}}","prompt":"hello"}              |
