public import JSONCodec

extension AuthoredBehavior: SchemaDescribing {
    /// Modules, or modules and segments; a schema can't describe valid rules.
    public static var schema: JSON {
        let modules: JSON = [
            "type": "array", "maxItems": count(BehaviorDocument.maximumModuleCount),
            "items": module,
        ]
        return [
            "description": "A behavior document: modules, or modules and segments.",
            "oneOf": [
                modules,
                [
                    "type": "object", "required": ["modules"],
                    "properties": [
                        "segments": [
                            "type": "object", "description": "Rules with a name.",
                            "additionalProperties": JSON.object([:]),
                        ],
                        "modules": modules,
                    ],
                    "additionalProperties": false,
                ],
            ],
            "examples": [
                [["name": "Banner", "actions": [["func": "show", "value": "Hello"]]]]
            ],
        ]
    }

    private static let rule: JSON = ["description": "A rule in JSONLogic; false omits this part."]

    private static var module: JSON {
        [
            "type": "object", "required": ["name", "actions"],
            "properties": [
                "name": name, "when": rule,
                "actions": [
                    "type": "array", "maxItems": count(BehaviorDocument.maximumActionCount),
                    "items": [
                        "type": "object", "required": ["func"],
                        "properties": [
                            "func": name, "value": JSON.object([:]), "when": rule,
                        ],
                    ],
                ],
            ],
        ]
    }

    private static let name: JSON = [
        "type": "string", "maxLength": count(BehaviorDocument.maximumNameLength),
    ]

    private static func count(_ most: Int) -> JSON { .number(JSON.Number(most)) }
}
