/**
 * Describes the effect of a change on a record, by member, in the words of a sheet (contract sections 24 and
 * 25).
 */
import type { StatesOfChange, SubjectKind } from '../change.ts';
import { form, nullable, text } from '../validation/forms.ts';
import { t } from '../validation/type.ts';

export const MemberChange = form('MemberChange', 'O que muda em um membro de um registro.', {
  member: text(
    'O membro; de um atributo atributo:CÓDIGO, de um subatributo atributo:CÓDIGO/SUBCÓDIGO.',
    'denominacao',
  ),
  heading: text('O membro em palavras.', 'Denominação'),
  before: nullable(t.String({ description: 'O que estava lá; null onde não havia nada.' })),
  after: nullable(t.String({ description: 'O que está lá depois; null onde não há mais nada.' })),
});
export type MemberChange = typeof MemberChange.static;

/** A change that an import row applied to one record, as stored with the row for an undo. */
export interface AppliedChange extends StatesOfChange {
  readonly kind: SubjectKind;
  /** Key within its kind, as in the audit: `12345678/7`. */
  readonly key: string;
}

/** Member for comparison: its name for people, and its text; `null` if it is empty. */
export interface MemberText {
  readonly heading: string;
  readonly text: string | null;
}

/** Returns the members that differ, those of `before` first. */
export function differencesOf(
  before: ReadonlyMap<string, MemberText>,
  after: ReadonlyMap<string, MemberText>,
): MemberChange[] {
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((member) => {
    const [was, is] = [before.get(member), after.get(member)];
    const texts = { before: was?.text ?? null, after: is?.text ?? null };
    const heading = (is ?? was)?.heading ?? member;
    return texts.before === texts.after ? [] : [{ member, heading, ...texts }];
  });
}
