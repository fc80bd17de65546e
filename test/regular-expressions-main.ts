/**
 * Analyses every regular expression of the product and records the linear ones, so that the test analyses
 * only new ones: `bun test/regular-expressions-main.ts`, about half a minute.
 */
import {
  CHECKER_VERSION,
  type Verdicts,
  distinct,
  expressionsIn,
  isLinear,
  patternsOfOperations,
  textOf,
} from './support/expressions.ts';
import { sourcesUnder } from './support/sources.ts';

const literals = (await sourcesUnder('src')).flatMap(expressionsIn);
const all = distinct([...literals, ...(await patternsOfOperations())]);
const safe = all.filter(isLinear);
for (const one of all.filter((one) => !safe.includes(one)))
  console.error(`not linear, or not settled: ${one.where} ${textOf(one)}`);
const verdicts: Verdicts = { checker: CHECKER_VERSION, safe: safe.map(textOf).sort() };
await Bun.write(
  `${import.meta.dir}/regular-expressions.safe.json`,
  `${JSON.stringify(verdicts, undefined, 2)}\n`,
);
