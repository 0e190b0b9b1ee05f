@transport
Feature: Opening the connection

  The first thing that an editor says is initialize. It tells what the editor is able to do, or nothing of it, and the
  adapter answers in a version that it speaks.

  @scenario:version-of-tomorrow
  @ACP-INIT-03
  Scenario: An editor speaks a version that nobody knows
    Given a connection that is not open yet
    When the editor calls "initialize" with: {"protocolVersion":65535,"clientInfo":{"name":"x","version":"1"},"clientCapabilities":{}}
    Then initialize was answered with a version that the adapter speaks, not with 65535

  @scenario:introduction
  Scenario Outline: What an editor tells of itself: <case>
    Given a connection that is not open yet
    When the editor calls "initialize" with: <parameters>
    And another session
    Then the connection is open, whatever the editor told of itself

    @ACP-INIT-14
    Examples: Little
      | case      | parameters                                                            |
      | nothing   | {"protocolVersion":1}                                                 |
      | no-name   | {"protocolVersion":1,"clientInfo":null,"clientCapabilities":{}}       |

    @ACP-INIT-07
    Examples: What it is able to do
      | case      | parameters                                                            |
      | nothing-at-all | {"protocolVersion":1,"clientInfo":{"name":"x","version":"1"},"clientCapabilities":{"fs":{"readTextFile":false,"writeTextFile":false},"terminal":false,"auth":{"terminal":false},"session":null,"elicitation":null}} |
      | everything | {"protocolVersion":1,"clientInfo":{"name":"x","version":"1"},"clientCapabilities":{"fs":{"readTextFile":true,"writeTextFile":true},"terminal":true,"auth":{"terminal":true},"session":{"configOptions":{"boolean":{}}},"elicitation":{"form":{},"url":{}}}} |
      | terminals | {"protocolVersion":1,"clientInfo":{"name":"x","version":"1"},"clientCapabilities":{"terminal":true,"elicitation":{"url":{}}}} |
      | files     | {"protocolVersion":1,"clientInfo":{"name":"x","version":"1"},"clientCapabilities":{"fs":{"readTextFile":true},"session":{"configOptions":{"boolean":{}}}}} |

    @ACP-INIT-08
    Examples: What nobody knows
      | case      | parameters                                                            |
      | unknown   | {"protocolVersion":1,"later":[1],"clientInfo":{"name":"x","version":"1","motto":"y"},"clientCapabilities":{"telepathy":{"range":3},"fs":{"smell":true},"_meta":{"x":1}},"_meta":{"y":[null]}} |

  @scenario:early-and-twice
  @ACP-INIT-12 @ACP-INIT-13
  Scenario: An editor asks for a session first, and opens the connection twice
    Given a connection that is not open yet
    When the editor calls "session/new" with: {"cwd":"{{workspace}}","mcpServers":[]}
    And the editor calls "initialize" with: {"protocolVersion":1,"clientInfo":{"name":"x","version":"1"},"clientCapabilities":{}}
    Then what came too early was answered, and initialize was taken behind it
    When the editor calls "initialize" with: {"protocolVersion":1,"clientInfo":{"name":"x","version":"1"},"clientCapabilities":{}}
    And another session
    Then the second initialize was answered, and a session can be made behind it

  @scenario:beside
  Scenario Outline: What an editor says beside what is known changes nothing: <case>
    Given a connection that is not open yet
    And Muse says "Hello."
    When the editor calls "initialize" with: {"protocolVersion":1,"clientInfo":{"name":"x","version":"1",<more>},"clientCapabilities":{<more>},<more>}
    And the editor calls "session/new" with: {"cwd":"{{workspace}}","mcpServers":[],<more>}
    And the editor calls "session/prompt" with: {"sessionId":"{{session}}","prompt":[{"type":"text","text":"hello",<more>}],<more>}
    Then each request was taken, whatever stood beside it

    @ACP-EXT-01
    Examples: Metadata
      | case    | more                              |
      | object  | "_meta":{"example.org/a":{"b":1}} |
      | null    | "_meta":null                      |

    @ACP-EXT-10
    Examples: Metadata of others, in types that they do not have
      | case    | more                              |
      | foreign | "_meta":{"traceparent":{"traceparent":7},"tracestate":[],"baggage":null,"terminal_output":"yes","claudeCode":5,"muse/approval":[1],"progressToken":{}} |

    @ACP-EXT-12
    Examples: Members that nobody knows
      | case    | more                              |
      | members | "x":1,"later":{"y":[null]}        |
