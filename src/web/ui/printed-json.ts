/**
 * JSON over several lines, with the line of each value by its pointer. Tokens stay unchanged: `1.10` stays
 * `1.10`, a duplicate name appears twice, and truncated JSON is printed as far as it goes.
 */

export interface PrintedJson {
  readonly lines: readonly string[];
  /** JSON pointer → index of the line on which its value begins. */
  readonly places: ReadonlyMap<string, number>;
}

interface Level {
  readonly pointer: string;
  readonly isList: boolean;
  count: number;
  /** Name of the next value in an object. */
  name: string | undefined;
}

/** Text (possibly truncated), punctuation, or any other token. */
const TOKEN = /"(?:[^"\\]|\\[^])*"?|[{}[\],:]|[^\s{}[\],:"]+/g;

const STEP = '  ';

export function printedJson(text: string): PrintedJson {
  const lines: string[] = [];
  const places = new Map<string, number>();
  const levels: Level[] = [];
  let line = '';
  const breakLine = (depth: number): void => {
    lines.push(line);
    line = STEP.repeat(depth);
  };
  for (const [token] of text.matchAll(TOKEN)) {
    const level = levels.at(-1);
    if (token === ',') {
      line += ',';
      breakLine(levels.length);
      if (level !== undefined) level.name = undefined;
    } else if (token === ':') line += ': ';
    else if (token === '}' || token === ']') {
      levels.pop();
      if (level !== undefined && level.count > 0) breakLine(levels.length);
      line += token;
    } else {
      const isName = level !== undefined && !level.isList && level.name === undefined;
      const isFirst = level?.count === 0 && (level.isList || isName);
      if (isFirst) breakLine(levels.length);
      if (level !== undefined && (level.isList || isName)) level.count += 1;
      const name = isName ? parsedJson(token) : undefined;
      if (level !== undefined && isName) level.name = typeof name === 'string' ? name : token;
      const pointer = pointerOf(level);
      if (!places.has(pointer)) places.set(pointer, lines.length);
      line += token;
      if (token === '{' || token === '[')
        levels.push({ pointer, isList: token === '[', count: 0, name: undefined });
    }
  }
  lines.push(line);
  return { lines, places };
}

function pointerOf(level: Level | undefined): string {
  if (level === undefined) return '';
  const step = level.isList ? String(level.count - 1) : (level.name ?? '');
  return `${level.pointer}/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** Returns the parsed text, or `undefined` if it is not JSON. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
