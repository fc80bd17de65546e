/** Lists the changes with their authors, newest first. */
import { NOT_RECORDED, isNotRecorded } from '../../validation/not-recorded.ts';
import type { AuditEntry } from '../api/answers.ts';
import type { Filter } from '../kit/list/filters.tsx';
import { usePages } from '../api/use-pages.ts';
import { List } from '../kit/list/list.tsx';
import { useList } from '../kit/list/use-list.ts';
import { DayInput } from '../ui/typed-input.tsx';
import { Input } from '../ui/field.tsx';
import type { Column } from '../ui/table.tsx';
import { numberText, secondText, unpointed } from '../words.ts';
import { CHANNEL_WORDS, actionText, changeText, openerText, subjectText } from './audit-words.ts';

const FILTERS: readonly Filter[] = [
  { name: 'since', label: 'Desde', field: (binding) => <DayInput {...binding} /> },
  {
    name: 'actor',
    label: 'Quem',
    normalize: unpointed,
    field: (binding) => <Input placeholder="CPF, sistema, linha de comando" {...binding} />,
  },
  {
    name: 'subject',
    label: 'Assunto',
    normalize: unpointed,
    field: (binding) => <Input placeholder="produto 12.345.678/7" {...binding} />,
  },
];

const unbroken = (text: string) => <span class="administration-word">{text}</span>;

const COLUMNS: readonly Column<AuditEntry>[] = [
  { key: 'seq', title: 'Nº', code: true, align: 'right', cell: ({ seq }) => seq },
  { key: 'at', title: 'Quando', cell: ({ at }) => unbroken(secondText(at)) },
  {
    key: 'actor',
    title: 'Quem',
    cell: ({ actor, actorName, key, notRecorded }) => (
      <>
        <bdi class="administration-word">{actorName ?? numberText(actor)}</bdi>
        {actorName !== null && <div class="muted">{numberText(actor)}</div>}
        {key !== null && <div class="muted">{openerText(key)}</div>}
        {isNotRecorded({ notRecorded }, 'key') && <div class="muted">chave: {NOT_RECORDED}</div>}
      </>
    ),
  },
  { key: 'channel', title: 'Por onde', cell: ({ channel }) => unbroken(CHANNEL_WORDS[channel] ?? channel) },
  { key: 'action', title: 'O quê', cell: ({ action }) => unbroken(actionText(action)) },
  {
    key: 'subject',
    title: 'Assunto',
    cell: ({ subject }) => <bdi class="administration-subject">{subjectText(subject)}</bdi>,
  },
  { key: 'versions', title: 'Versão ou mudança', cell: (entry) => <bdi>{changeText(entry)}</bdi> },
];

const keyOf = ({ seq }: AuditEntry): string => String(seq);

/** `company`: limits the list to changes of its records. */
export const Audit = ({ company }: { readonly company?: string }) => (
  <List
    list={useList<AuditEntry>({
      path: '/appliance/api/audit',
      ...(company !== undefined && { baseQuery: { cpfCnpjRaiz: company } }),
      filters: FILTERS,
      keyOf,
      useRows: usePages,
    })}
    name="auditoria"
    caption="Trilha de auditoria"
    columns={COLUMNS}
    newest={{ step: 100 }}
    words={['mudança', 'mudanças', 'Nenhuma mudança']}
    nothing="A trilha de auditoria ainda não tem entradas."
  />
);
