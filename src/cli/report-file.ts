/** `catp dev --report`: the file in which a run's conformity stands when it has ended (contract section 21). */
import {
  accessSync,
  closeSync,
  constants,
  lstatSync,
  openSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import type { Conformity } from '../dev/conformity/conformity.ts';
import { junitOf } from '../dev/conformity/junit.ts';
import { OperatorError } from '../errors.ts';
import { reasonOf } from '../system/errors.ts';
import { writeWhole } from './whole-file.ts';

const FLAG = '--report';

/** Before anything is served: the run is not to end without its report. One of an earlier run is not to be taken for this one's. */
export function prepareReport(file: string): void {
  try {
    if (isDevice(file))
      accessSync(file, constants.W_OK); // opened it would wait, or tell its reader of an end
    else {
      writeFileSync(file, ''); // a link stays one, and what it leads to is empty until the end
      if (lstatSync(file).isFile()) rmSync(file);
    }
  } catch (error) {
    throw refusal(file, error, 'Indique um arquivo em uma pasta que exista e seja sua.');
  }
}

export async function writeReport(file: string, conformity: Conformity): Promise<void> {
  const report = conformity.report();
  const text = file.toLowerCase().endsWith('.xml') ? junitOf(report) : `${JSON.stringify(report, null, 2)}\n`;
  const reader = readerOf(file);
  try {
    await writeWhole(FLAG, file, text);
  } finally {
    if (reader !== undefined) closeSync(reader);
  }
}

/**
 * A pipe that nobody reads would hold the end up for ever: it is refused. Open until all is written, for whoever reads it
 * would take the moment in between for its end. `undefined` of anything else.
 */
function readerOf(file: string): number | undefined {
  try {
    const isPipe = statSync(file, { throwIfNoEntry: false })?.isFIFO() === true;
    return isPipe ? openSync(file, constants.O_WRONLY | constants.O_NONBLOCK) : undefined;
  } catch (error) {
    throw refusal(file, error, 'Um pipe precisa de quem o leia quando a instância termina.');
  }
}

/** `/dev/stdout`, a pipe: neither emptied nor put away. */
function isDevice(file: string): boolean {
  const found = statSync(file, { throwIfNoEntry: false });
  return found !== undefined && !found.isFile() && !found.isDirectory();
}

const refusal = (file: string, error: unknown, advice: string): OperatorError =>
  new OperatorError(`${FLAG}: ${file} não pode ser gravado (${reasonOf(error)}). ${advice}`, {
    cause: error,
  });
