/** Stores the choices of notices of each person. */
import { Store } from '../db/prepared.ts';

export class OwnAccountStore extends Store {
  /** Returns the choices that the person made, as JSON. */
  readonly findChoices = this.value<[documento: string], string>(
    'SELECT avisos FROM user WHERE documento = ?',
  );
  readonly putChoices = this.runs(
    'UPDATE user SET avisos = ? WHERE documento = ?',
    (documento: string, choices: string) => [choices, documento],
  );
}
