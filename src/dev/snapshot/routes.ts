/** Serves snapshots over HTTP (contract section 15). */
import { type Operation, ok, operationsIn } from '../../http/operation.ts';
import type { Caller } from '../../session/model.ts';
import { momentText } from '../../validation/calendar.ts';
import { momentOf } from '../../validation/moment.ts';
import { NAME_LONGEST, NAME_PATTERN, type Snapshot } from './model.ts';
import type { Snapshots } from './service.ts';
import { form, text } from '../../validation/forms.ts';
import { t } from '../../validation/type.ts';

const BASE = '/appliance/api/snapshots';

const operation = operationsIn({
  tag: 'Desenvolvimento',
  source: 'contract, section 15',
  access: 'administrator',
  right: 'none',
});

const Name = text(`O nome: letras minúsculas, dígitos e hífen, 1 a ${NAME_LONGEST}.`, 'antes-do-teste', {
  pattern: NAME_PATTERN,
  'x-domain': `letras minúsculas sem acento, dígitos e hífen, de 1 a ${NAME_LONGEST}`,
});

const SnapshotForm = form(
  'Snapshot',
  'Um estado guardado por inteiro: contas, catálogo, notificações, importações, tabelas e relógio de teste.',
  {
    name: Name,
    at: momentOf('Quando foi guardado, pelo relógio da instância.'),
    bytes: t.Integer({ minimum: 0, description: 'Quanto ocupa no disco.' }),
  },
);

const answerOf = ({ name, at, bytes }: Snapshot) => ({ name, at: momentText(at), bytes });

export function snapshotRoutes(snapshots: Snapshots): Operation<Caller>[] {
  const params = t.Object({ name: Name });
  return [
    operation('GET', BASE, {
      id: 'listSnapshots',
      summary: 'Lista os estados guardados, por nome',
      success: t.Array(SnapshotForm),
      handle: () => ok(snapshots.list().map(answerOf)),
    }),
    operation('POST', `${BASE}/:name`, {
      id: 'keepSnapshot',
      summary: 'Guarda o estado inteiro sob um nome; um nome repetido é substituído',
      params,
      success: SnapshotForm,
      handle: async ({ params: { name } }) => ok(answerOf(await snapshots.keep(name))),
    }),
    operation('POST', `${BASE}/:name/restore`, {
      id: 'restoreSnapshot',
      summary: 'Traz de volta um estado guardado, com o relógio de teste',
      params,
      otherSuccess: [204],
      handle: ({ params: { name } }) => snapshots.restore(name),
    }),
    operation('DELETE', `${BASE}/:name`, {
      id: 'removeSnapshot',
      summary: 'Apaga um estado guardado',
      params,
      otherSuccess: [204],
      handle: ({ params: { name } }) => snapshots.remove(name),
    }),
  ];
}
