/** A body with what was wrong in it: pieces that are as they should be, and lines with their problems. */
import type { AdvisedProblem } from '../../api/answers.ts';
import { parsedJson, printedJson } from '../../ui/printed-json.ts';

export interface Piece {
  readonly text: string;
  /** None: several lines may be one piece. */
  readonly problems: readonly AdvisedProblem[];
}

/** `isCut`: only its beginning is there. */
export function markedBody(
  text: string,
  problems: readonly AdvisedProblem[],
  isCut: boolean,
): readonly Piece[] {
  if (parsedJson(text) === undefined && !(isCut && /^\s*[{[]/.test(text))) return [{ text, problems: [] }];
  const { lines, places } = printedJson(text);
  const at = new Map<number, AdvisedProblem[]>();
  for (const problem of problems) {
    const line = lineOf(problem.path, places);
    if (line !== undefined) at.set(line, [...(at.get(line) ?? []), problem]);
  }
  const pieces: Piece[] = [];
  let plain: string[] = [];
  const endPlain = (): void => {
    if (plain.length > 0) pieces.push({ text: plain.join('\n'), problems: [] });
    plain = [];
  };
  for (const [index, line] of lines.entries()) {
    const found = at.get(index);
    if (found === undefined) plain.push(line);
    else {
      endPlain();
      pieces.push({ text: line, problems: found });
    }
  }
  endPlain();
  return pieces;
}

/** Where it stands or, of what is missing, where it should: what is nearest around it. */
function lineOf(pointer: string | null, places: ReadonlyMap<string, number>): number | undefined {
  if (pointer === null || (pointer !== '' && !pointer.startsWith('/'))) return undefined;
  for (let around = pointer; ; around = around.slice(0, around.lastIndexOf('/'))) {
    const line = places.get(around);
    if (line !== undefined || around === '') return line;
  }
}
