/** Splits a body into valid pieces and lines with their problems. */
import type { AdvisedProblem } from '../../api/answers.ts';
import { parsedJson, printedJson } from '../../ui/printed-json.ts';

export interface Piece {
  readonly text: string;
  /** Empty for a valid piece, which may have several lines. */
  readonly problems: readonly AdvisedProblem[];
}

/** `isCut`: the body was truncated. */
export function markedBody(
  text: string,
  problems: readonly AdvisedProblem[],
  isCut: boolean,
): readonly Piece[] {
  if (parsedJson(text) === undefined && !(isCut && /^\s*[{[]/.test(text))) return [{ text, problems: [] }];
  const { lines, places } = printedJson(text);
  const problemsByLine = new Map<number, AdvisedProblem[]>();
  for (const problem of problems) {
    const line = lineOf(problem.path, places);
    if (line !== undefined) problemsByLine.set(line, [...(problemsByLine.get(line) ?? []), problem]);
  }
  const pieces: Piece[] = [];
  let plain: string[] = [];
  const endPlain = (): void => {
    if (plain.length > 0) pieces.push({ text: plain.join('\n'), problems: [] });
    plain = [];
  };
  for (const [index, line] of lines.entries()) {
    const lineProblems = problemsByLine.get(index);
    if (lineProblems === undefined) plain.push(line);
    else {
      endPlain();
      pieces.push({ text: line, problems: lineProblems });
    }
  }
  endPlain();
  return pieces;
}

/** Returns the line of a pointer. For a missing member it is the line of the nearest ancestor. */
function lineOf(pointer: string | null, places: ReadonlyMap<string, number>): number | undefined {
  if (pointer === null || (pointer !== '' && !pointer.startsWith('/'))) return undefined;
  for (let around = pointer; ; around = around.slice(0, around.lastIndexOf('/'))) {
    const line = places.get(around);
    if (line !== undefined || around === '') return line;
  }
}
