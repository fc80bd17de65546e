/** Finds members that occur twice in one object, which `JSON.parse` does not report (contract section 3). */
import type { Problem } from '../errors.ts';
import { formatValue } from './format-value.ts';
import { MALFORMED_CODE } from './decoding.ts';
import { escaped, memberOf } from '../pointer.ts';

/** Limit for the problems of one text. */
const REPEATS_MAX = 100;
/** Names in pointers are cut at this length: otherwise each problem below a long name would repeat it. */
const NAME_MAX_CHARACTERS = 100;

interface Level {
  /** The names so far, with their number of occurrences. `undefined` for an array. */
  readonly names: Map<string, number> | undefined;
  readonly pointer: string;
  name: string;
  index: number;
  /** The next text is a name. */
  awaitsName: boolean;
}

/**
 * Returns each repeated member once, with its position, at most `REPEATS_MAX`. `text` is JSON, within the
 * depth limit of a body.
 */
export function repeatedMembers(text: string): readonly Problem[] {
  const problems: Problem[] = [];
  const levels: Level[] = [];
  for (let offset = 0; offset < text.length; offset += 1) {
    const level = levels.at(-1);
    switch (text[offset]) {
      case '"': {
        const end = textEnd(text, offset);
        if (level?.awaitsName === true) takeName(level, text.slice(offset, end), problems);
        if (problems.length >= REPEATS_MAX) return problems;
        offset = end - 1;
        break;
      }
      case '{':
        levels.push(openLevel(level, new Map()));
        break;
      case '[':
        levels.push(openLevel(level, undefined));
        break;
      case '}':
      case ']':
        levels.pop();
        break;
      case ',':
        if (level?.names === undefined) (level as Level).index += 1;
        else level.awaitsName = true;
        break;
      default: // blanks, and characters that neither open nor close a level
    }
  }
  return problems;
}

const openLevel = (parent: Level | undefined, names: Level['names']): Level => ({
  names,
  pointer: parent === undefined ? '' : pointerIn(parent),
  name: '',
  index: 0,
  awaitsName: names !== undefined,
});

const pointerIn = ({ names, pointer, name, index }: Level): string =>
  `${pointer}/${names === undefined ? index : escaped(cut(name))}`;

function takeName(level: Level, quoted: string, problems: Problem[]): void {
  const name = quoted.includes('\\') ? (JSON.parse(quoted) as string) : quoted.slice(1, -1);
  const times = (level.names?.get(name) ?? 0) + 1;
  level.names?.set(name, times);
  level.name = name;
  level.awaitsName = false;
  if (times === 2) problems.push(repeatedProblem(name, pointerIn(level)));
}

const repeatedProblem = (name: string, path: string): Problem => ({
  code: MALFORMED_CODE,
  message: `Membro ${formatValue(name)} recebido mais de uma vez no mesmo objeto; informe-o uma só vez.`,
  field: memberOf(path),
  path,
});

const cut = (name: string): string =>
  name.length <= NAME_MAX_CHARACTERS ? name : `${name.slice(0, NAME_MAX_CHARACTERS).toWellFormed()}…`;

/** Returns the offset after a text that opens at `start`. */
function textEnd(text: string, start: number): number {
  let offset = start + 1;
  while (text[offset] !== '"') offset += text[offset] === '\\' ? 2 : 1;
  return offset + 1;
}
