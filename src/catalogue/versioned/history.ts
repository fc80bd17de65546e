/**
 * Builds the history of a record: its versions, when they were in force, and what they changed (contract
 * sections 14 and 25).
 */
import type { Day, EpochMs } from '../../clock.ts';
import { SYSTEM } from '../../session/model.ts';
import { dayBefore, momentText } from '../../validation/calendar.ts';
import { momentOf } from '../../validation/moment.ts';
import { DayText } from '../model.ts';
import { MemberChange, type MemberText, differencesOf } from '../record.ts';
import { Versao, type VersionNumber, isLater, versionText } from '../version.ts';
import { type Current, SITUACOES, situacaoOf } from './model.ts';
import type { PastHead } from './store.ts';
import { choice, form, nullable, text } from '../../validation/forms.ts';
import { t } from '../../validation/type.ts';

const userText = (description: string) =>
  text(`${description}: o CPF ou CNPJ do usuário, sistema ou linha de comando.`, '00000000191');
const nameText = (description: string) => nullable(text(description, 'Maria Demonstração'));
const dayText = (description: string) => nullable(t.String({ ...DayText, description }));

const DeactivatingTable = form('DeactivatingTable', 'Uma tabela de atributos que desativou um produto.', {
  id: t.Integer({ minimum: 1, description: 'Identificador da tabela.', examples: [2] }),
  versao: t.String({ description: 'Versão da tabela.', examples: ['2026.01.20'] }),
  inForceOn: t.String({ ...DayText, description: 'O dia em que entrou em vigor.' }),
  isWhole: t.Boolean({ description: 'false: da tabela só está guardado o que mudou.' }),
});
type DeactivatingTable = typeof DeactivatingTable.static;

export const ListedVersion = form('ListedVersion', 'Uma versão de um registro e sua vigência.', {
  versao: Versao,
  situacao: choice(SITUACOES, 'Situação da versão.', 'ATIVADO'),
  madeAt: momentOf('Quando a versão foi feita.'),
  madeBy: userText('Quem a fez'),
  startsOn: dayText('O primeiro dia em vigor; null se não esteve em vigor no fim de dia algum.'),
  endsOn: dayText('O último dia em vigor; null enquanto está em vigor, e se nunca esteve.'),
  deactivatedAt: nullable(momentOf('Quando foi desativada; null se não foi.')),
  deactivatedBy: nullable(userText('Quem a desativou')),
  madeByName: nameText('O nome de quem a fez; null de quem não é, ou não é mais, usuário.'),
  deactivatedByName: nameText('O nome de quem a desativou; null também se não foi desativada.'),
  proposedBy: nullable(userText('Quem a propôs, onde quem a fez aprovou uma proposta')),
  proposedByName: nameText('O nome de quem a propôs; null também se não veio de uma proposta.'),
  changes: t.Array(MemberChange, {
    description: 'O que ela tem de diferente da versão antes dela nesta lista; [] da primeira.',
  }),
  /** Absent for operators, and for a version that the system did not deactivate. */
  deactivatedByTable: t.Optional({
    ...DeactivatingTable,
    description: 'A tabela de atributos por que o sistema a desativou; ausente se não foi o sistema.',
  }),
});
export type ListedVersion = typeof ListedVersion.static;

type DatedHead = Omit<PastHead, 'untilDay'> & { readonly validity: Validity };
type Validity = Pick<ListedVersion, 'startsOn' | 'endsOn'>;

const NEVER: Validity = { startsOn: null, endsOn: null };

/** Further information on a version. */
export interface HistoryWords {
  membersOf(version: VersionNumber): ReadonlyMap<string, MemberText>;
  /** Returns the name of a user. */
  nameOf(documento: string): string | undefined;
  /** Returns the attribute table by which the system deactivated a version at that time. */
  readonly tableAt?: ((deactivatedAt: EpochMs) => DeactivatingTable | undefined) | undefined;
}

/** Returns the current version and the past ones, oldest first. */
export function historyOf(
  record: Current<object>,
  past: readonly PastHead[],
  words: HistoryWords,
): ListedVersion[] {
  const versions: DatedHead[] = past.map((version) => ({ ...version, validity: validityOf(version) }));
  versions.push({ ...record, validity: { startsOn: record.startsOn, endsOn: null } });
  let before: ReadonlyMap<string, MemberText> | undefined;
  return versions.sort(byAge).map((version) => {
    const members = words.membersOf(version);
    const changes = before === undefined ? [] : differencesOf(before, members);
    before = members;
    return toListed(version, words, changes);
  });
}

const byAge = (a: DatedHead, b: DatedHead): number => a.madeAt - b.madeAt || (isLater(a, b) ? 1 : -1);

const validityOf = ({ startsOn, untilDay }: { startsOn: Day; untilDay: Day | null }): Validity =>
  untilDay === null ? NEVER : { startsOn, endsOn: dayBefore(untilDay) };

const toListed = (version: DatedHead, words: HistoryWords, changes: MemberChange[]): ListedVersion => ({
  versao: versionText(version),
  situacao: situacaoOf(version),
  madeAt: momentText(version.madeAt),
  madeBy: version.madeBy,
  ...version.validity,
  deactivatedAt: version.deactivatedAt === null ? null : momentText(version.deactivatedAt),
  deactivatedBy: version.deactivatedBy,
  madeByName: words.nameOf(version.madeBy) ?? null,
  deactivatedByName: (version.deactivatedBy !== null && words.nameOf(version.deactivatedBy)) || null,
  proposedBy: version.proposedBy,
  proposedByName: (version.proposedBy !== null && words.nameOf(version.proposedBy)) || null,
  changes,
  ...tableIn(version, words),
});

function tableIn(
  { deactivatedAt, deactivatedBy }: DatedHead,
  { tableAt }: HistoryWords,
): Pick<ListedVersion, 'deactivatedByTable'> {
  const table = deactivatedAt === null || deactivatedBy !== SYSTEM ? undefined : tableAt?.(deactivatedAt);
  return table === undefined ? {} : { deactivatedByTable: table };
}
