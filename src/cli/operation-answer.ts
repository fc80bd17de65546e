/** Prints the answer of an operation: a table on a terminal, else its JSON or its bytes (contract section 16). */
import { UsageError } from '../errors.ts';
import { visible, visibleLines } from '../validation/text.ts';
import { printTable } from './table.ts';
import { writeCompleteFile } from './complete-file.ts';

export interface AnswerFlags {
  readonly json?: true;
  readonly to?: string;
}

/** The JSON of an answer without a body. */
const NOTHING = '[]';

const isJsonType = (type: string): boolean => /^application\/([\w.+-]+\+)?json\b/.test(type);

/** Throws when bytes would reach a terminal. `type`: the content type of the answer. */
export function requireOutputFor(type: string, { to }: AnswerFlags): void {
  if (to === undefined && process.stdout.isTTY && !isJsonType(type))
    throw new UsageError(
      `call: a resposta (${type.split(';', 1)[0]}) não é para um terminal; indique --to ARQUIVO, ou envie-a a um pipe.`,
    );
}

export async function printAnswer(answer: Response, flags: AnswerFlags): Promise<void> {
  const { body } = answer;
  const { json, to } = flags;
  if (to !== undefined) {
    await writeCompleteFile('--to', to, body === null ? `${NOTHING}\n` : () => body);
    process.stdout.write(`${visible(to)}\n`);
    return;
  }
  if (body === null) {
    process.stdout.write(`${NOTHING}\n`);
    return;
  }
  const type = answer.headers.get('Content-Type') ?? '';
  requireOutputFor(type, flags);
  if (!process.stdout.isTTY) {
    for await (const chunk of body) await writeOut(chunk);
    if (isJsonType(type)) await writeOut('\n');
    return;
  }
  const text = await answer.text();
  if (json === true) process.stdout.write(`${visibleLines(text)}\n`);
  else printTable(rowsOf(JSON.parse(text)));
}

async function writeOut(chunk: string | Uint8Array): Promise<void> {
  if (!process.stdout.write(chunk)) await new Promise((resolve) => process.stdout.once('drain', resolve));
}

/** Returns the records of a list or of a page; of any other record one row for each member. */
function rowsOf(value: unknown): readonly object[] {
  if (Array.isArray(value)) return value.map((item) => (isRecord(item) ? item : { Valor: item }));
  if (!isRecord(value)) return [{ Valor: value }];
  if ('items' in value && Array.isArray(value.items)) return rowsOf(value.items);
  return Object.entries(value).map(([name, member]) => ({ Membro: name, Valor: member }));
}

const isRecord = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
