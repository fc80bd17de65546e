/** `catp dev --report`: the file with the conformity report of a finished run (contract section 21). */
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
import { writeCompleteFile } from './complete-file.ts';

const FLAG = '--report';

/**
 * Checks the file before anything is served, so that the run does not end without its report. Removes the
 * report of an earlier run, so that it is not read as the new one.
 */
export function prepareReport(file: string): void {
  try {
    if (isDevice(file))
      accessSync(file, constants.W_OK); // opening it would block, or signal an end to its reader
    else {
      writeFileSync(file, ''); // a link stays a link, and its target is empty until the end
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
    await writeCompleteFile(FLAG, file, text);
  } finally {
    if (reader !== undefined) closeSync(reader);
  }
}

/**
 * Opens a pipe; `undefined`: the file is not one. Throws for a pipe without a reader, because a write to it
 * would block for ever. The pipe stays open until all is written, because its reader takes a close for the end.
 */
function readerOf(file: string): number | undefined {
  try {
    const isPipe = statSync(file, { throwIfNoEntry: false })?.isFIFO() === true;
    return isPipe ? openSync(file, constants.O_WRONLY | constants.O_NONBLOCK) : undefined;
  } catch (error) {
    throw refusal(file, error, 'Um pipe precisa de quem o leia quando a instância termina.');
  }
}

/** Returns true for `/dev/stdout` or a pipe, which is neither emptied nor removed. */
function isDevice(file: string): boolean {
  const status = statSync(file, { throwIfNoEntry: false });
  return status !== undefined && !status.isFile() && !status.isDirectory();
}

const refusal = (file: string, error: unknown, advice: string): OperatorError =>
  new OperatorError(`${FLAG}: ${file} não pode ser gravado (${reasonOf(error)}). ${advice}`, {
    cause: error,
  });
