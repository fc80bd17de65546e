/** Reads the items of the files of a comparison. */
import type { FileLimits } from '../../files/file-limits.ts';
import { readItems } from '../../files/json-members.ts';
import { UnreadableFile } from '../../files/unreadable-file.ts';
import { reasonOf } from '../../system/errors.ts';
import { COMPARED_FILES, type ComparedFiles, type IncomparableRule, type RemoteKind } from './model.ts';
import { isObject } from '../../validation/json-value.ts';
import { foreignText } from '../../validation/text.ts';
import { type Received, codeIn } from './received.ts';

/** Error that makes a comparison fail. The caller gets its message, and the code of its rule. */
export class Incomparable extends Error {
  readonly rule: IncomparableRule;

  constructor(rule: IncomparableRule, message: string) {
    super(message);
    this.rule = rule;
  }
}

/**
 * Maximum records of one file. Each takes some hundred bytes of disk, also when the file has a tenth of that,
 * and a comparison that lists them blocks the next one.
 */
export const COMPARED_RECORDS_MAX = 1_000_000;

interface Files {
  readonly files: ComparedFiles;
  readonly limits: FileLimits;
  readonly cpfCnpjRaiz: string;
}

export interface Item {
  readonly item: Received;
  /** `produtos, item 3 (linha 40)` */
  readonly place: string;
}

/** Yields the items of a file. All belong to this company. */
export async function* itemsOf(
  { files, limits, cpfCnpjRaiz }: Files,
  kind: RemoteKind,
): AsyncGenerator<Item> {
  const file = COMPARED_FILES[kind];
  try {
    for await (const { value, index, line } of readItems(files[file], limits)) {
      if (index === COMPARED_RECORDS_MAX)
        throw new Incomparable(
          'unfitExport',
          `${file}: o arquivo tem mais de ${COMPARED_RECORDS_MAX.toLocaleString('pt-BR')} registros, o que uma comparação lê de um arquivo; confira de onde ele vem.`,
        );
      const place = `${file}, item ${index + 1} (linha ${line}):`;
      if (!isObject(value)) throw new Incomparable('unfitExport', `${place} não é um objeto JSON.`);
      const company = codeIn(value['cpfCnpjRaiz']);
      if (company !== null && company !== cpfCnpjRaiz)
        throw new Incomparable(
          'unfitExport',
          `${place} é da empresa ${foreignText(company)}, e a comparação é de ${cpfCnpjRaiz}.`,
        );
      yield { item: value, place };
    }
  } catch (error) {
    if (error instanceof UnreadableFile) throw new Incomparable('unfitExport', `${file}: ${error.message}`);
    if (error instanceof Incomparable || !(error instanceof Error && 'syscall' in error)) throw error;
    throw new Incomparable('unfitExport', `${file}: ${reasonOf(error)}.`);
  }
}
