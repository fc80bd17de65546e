/**
 * JSON as the catalogue reads it: an attribute value may come as a JSON number, and is kept as the text that was sent
 * (contract section 4). `1.10` must not become `1.1`.
 */
const NUMBER_THAT_WOULD_CHANGE = /"valor(?:es)?"\s*:\s*\[?[^"{}]*?(?:\d\.\d*0(?!\d)|\d{16}|\d[eE]|-0)/;

/** Parses a JSON text. Throws the parser's SyntaxError. */
export function parseJsonText(text: string): unknown {
  // Most texts have no such number, and are spared the slower way.
  return NUMBER_THAT_WOULD_CHANGE.test(text) ? JSON.parse(text, keepNumberText) : JSON.parse(text);
}

function keepNumberText(this: unknown, key: string, value: unknown, context?: { source?: string }): unknown {
  const isAttributeValue = key === 'valor' || (Array.isArray(this) && typeof value === 'number');
  const isChanged =
    typeof value === 'number' && context?.source !== undefined && context.source !== String(value);
  return isAttributeValue && isChanged ? context.source : value;
}
