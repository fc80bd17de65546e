/**
 * Builds the history of a record: its versions, when they were in force, and what they changed (contract
 * sections 14 and 25).
 */
import { Type as t } from '@sinclair/typebox';
import type { Day } from '../../clock.ts';
import { dayBefore, momentText } from '../../validation/calendar.ts';
import { momentOf } from '../../validation/moment.ts';
import { DayText } from '../model.ts';
import { MemberChange, type MemberText, differencesOf } from '../record.ts';
import { Versao, type VersionNumber, isLater, versionText } from '../version.ts';
import { type Current, SITUACOES, situacaoOf } from './model.ts';
import type { PastHead } from './store.ts';
import { choice, form, nullable, text } from '../../validation/forms.ts';

const who = (description: string) =>
  text(`${description}: o CPF ou CNPJ do usuário, sistema ou linha de comando.`, '00000000191');
const name = (description: string) => nullable(text(description, 'Maria Demonstração'));
const day = (description: string) => nullable(t.String({ ...DayText, description }));

export const ListedVersion = form('ListedVersion', 'Uma versão de um registro e sua vigência.', {
  versao: Versao,
  situacao: choice(SITUACOES, 'Situação da versão.', 'ATIVADO'),
  madeAt: momentOf('Quando a versão foi feita.'),
  madeBy: who('Quem a fez'),
  startsOn: day('O primeiro dia em vigor; null se não esteve em vigor no fim de dia algum.'),
  endsOn: day('O último dia em vigor; null enquanto está, e se não esteve em dia algum.'),
  deactivatedAt: nullable(momentOf('Quando foi desativada; null se não foi.')),
  deactivatedBy: nullable(who('Quem a desativou')),
  madeByName: name('O nome de quem a fez; null de quem não é, ou não é mais, usuário.'),
  deactivatedByName: name('O nome de quem a desativou; null também se não foi desativada.'),
  changes: t.Array(MemberChange, {
    description: 'O que ela tem de diferente da versão antes dela nesta lista; [] da primeira.',
  }),
});
export type ListedVersion = typeof ListedVersion.static;

type Dated = Omit<PastHead, 'untilDay'> & { readonly validity: Validity };
type Validity = Pick<ListedVersion, 'startsOn' | 'endsOn'>;

const NEVER: Validity = { startsOn: null, endsOn: null };

/** Further information on a version. */
export interface HistoryWords {
  membersOf(version: VersionNumber): ReadonlyMap<string, MemberText>;
  /** Returns the name of a user. */
  nameOf(documento: string): string | undefined;
}

/** Returns the current version and the past ones, oldest first. */
export function historyOf(
  record: Current<object>,
  past: readonly PastHead[],
  words: HistoryWords,
): ListedVersion[] {
  const all: Dated[] = past.map((version) => ({ ...version, validity: validityOf(version) }));
  all.push({ ...record, validity: { startsOn: record.startsOn, endsOn: null } });
  let before: ReadonlyMap<string, MemberText> | undefined;
  return all.sort(byAge).map((version) => {
    const members = words.membersOf(version);
    const changes = before === undefined ? [] : differencesOf(before, members);
    before = members;
    return toListed(version, words, changes);
  });
}

const byAge = (a: Dated, b: Dated): number => a.madeAt - b.madeAt || (isLater(a, b) ? 1 : -1);

const validityOf = ({ startsOn, untilDay }: { startsOn: Day; untilDay: Day | null }): Validity =>
  untilDay === null ? NEVER : { startsOn, endsOn: dayBefore(untilDay) };

const toListed = (version: Dated, words: HistoryWords, changes: MemberChange[]): ListedVersion => ({
  versao: versionText(version),
  situacao: situacaoOf(version),
  madeAt: momentText(version.madeAt),
  madeBy: version.madeBy,
  ...version.validity,
  deactivatedAt: version.deactivatedAt === null ? null : momentText(version.deactivatedAt),
  deactivatedBy: version.deactivatedBy,
  madeByName: words.nameOf(version.madeBy) ?? null,
  deactivatedByName: (version.deactivatedBy !== null && words.nameOf(version.deactivatedBy)) || null,
  changes,
});
