/** `catp dev --report`: the file in which a run's conformity stands when it has ended (contract section 21). */
import { lstatSync, rmSync, writeFileSync } from 'node:fs';
import type { Conformity } from '../dev/conformity/conformity.ts';
import { junitOf } from '../dev/conformity/junit.ts';
import { OperatorError } from '../errors.ts';
import { reasonOf } from '../system/errors.ts';
import { writeWhole } from './whole-file.ts';

const FLAG = '--report';

/** Before anything is served: the run is not to end without its report. One of an earlier run is not to be taken for this one's. */
export function prepareReport(file: string): void {
  try {
    writeFileSync(file, '', { flag: 'a' });
    if (lstatSync(file).isFile()) rmSync(file); // no device, no pipe
  } catch (error) {
    throw new OperatorError(
      `${FLAG}: ${file} não pode ser gravado (${reasonOf(error)}). Indique um arquivo em uma pasta que exista e seja sua.`,
      { cause: error },
    );
  }
}

export async function writeReport(file: string, conformity: Conformity): Promise<void> {
  const report = conformity.report();
  const text = file.toLowerCase().endsWith('.xml') ? junitOf(report) : `${JSON.stringify(report, null, 2)}\n`;
  await writeWhole(FLAG, file, async function* () {
    yield text;
  });
}
