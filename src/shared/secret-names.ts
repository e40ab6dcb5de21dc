/** A field, variable or member with such a name holds a secret. */
export const secretNames = /token|passw(?:or)?d|secret|credential|authorization|api[_-]?key/i
