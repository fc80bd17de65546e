/**
 * Explains why a file cannot be read as a spreadsheet (contract section 24). It is thrown. A Worker passes it
 * on as a value.
 */

export type UnreadableSheetReason =
  | 'xls'
  | 'encrypted'
  | 'notASheet'
  | 'broken'
  | 'empty'
  | 'tooManyRows'
  | 'tooManyColumns'
  | 'tooManySheets'
  | 'tooManyCells'
  | 'tooManyCharacters'
  | 'tooLongCell'
  | 'tooLongRow'
  | 'tooLarge'
  | 'zipBomb';

export class UnreadableSheet extends Error {
  override readonly name = 'UnreadableSheet';
  readonly reason: UnreadableSheetReason;

  constructor(reason: UnreadableSheetReason, message: string, cause?: unknown) {
    super(message, { cause });
    this.reason = reason;
  }
}

export const ENCRYPTED = 'A planilha está protegida por senha; tire a senha e envie-a de novo.';
