/** Finds the failed tests in the output of a test runner: the names as printed, without duplicates. */
import { stripVTControlCharacters } from 'node:util';

/** Patterns of a trimmed line. */
const SAYS: readonly RegExp[] = [
  /^not ok \d+ (?:- )?(.+)$/, // TAP: node --test
  /^[✖✕×✗] (.+) \(?[\d.]+ ?m?s\)?$/, // node --test on a terminal, Jest, Vitest
  /^(?:FAILED|ERROR) ([^\s.]+\.py.*)$/, // pytest
  /^\[ERROR\] (\S+) .*<<< (?:FAILURE|ERROR)!/, // Maven
  /^(\S+ > .+) FAILED$/, // Gradle
];
/** Matches Maven's summary of a class, which ends like one of its tests. */
const IS_SUM = /^\[ERROR\] Tests run:/;
/** The separator between the name and the reason in pytest. */
const WHY = ' - ';
/** The TAP mark of a group: one of its tests failed, and is already listed. */
const OF_A_GROUP = "failureType: 'subtestsFailed'";
const TOLERATED = / # (?:TODO|SKIP)\b/;

export function fallenTests(output: string): readonly string[] {
  const fallen: string[] = [];
  for (const raw of stripVTControlCharacters(output).split('\n')) {
    const line = raw.trim();
    if (line === OF_A_GROUP) fallen.pop();
    const name = nameIn(line);
    if (name !== undefined) fallen.push(name);
  }
  return [...new Set(fallen)];
}

function nameIn(line: string): string | undefined {
  if (IS_SUM.test(line) || TOLERATED.test(line)) return undefined;
  for (const says of SAYS) {
    const name = says.exec(line)?.[1];
    if (name !== undefined) return line.startsWith('not ok') ? name : name.split(WHY)[0];
  }
  return undefined;
}
