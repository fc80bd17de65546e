/** Operations for monitoring tools: liveness, readiness, state. */
import type { Day, EpochMs } from '../clock.ts';
import type { BackupState } from '../backup/model.ts';
import { DomainError } from '../errors.ts';
import { type Operation, ok, operation } from '../http/operation.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { type Epoch, epochHeaders } from '../replica/epoch.ts';
import type { ReplicaMode, ReplicaState } from '../replica/replica.ts';
import type { Caller } from '../session/model.ts';
import { momentText } from '../validation/calendar.ts';
import { momentOf } from '../validation/moment.ts';
import { choice, form, nullable, text, integerForm } from '../validation/forms.ts';
import { t } from '../validation/type.ts';

export interface AttributeTableState {
  readonly versao: string;
  /** The first day on which it applies. */
  readonly since: Day;
  readonly loadedAt: EpochMs;
  /** The last fetch. `null`: none yet, or no origin is set. */
  readonly origin: { readonly at: EpochMs; readonly ok: boolean; readonly message: string } | null;
}

export interface Readiness {
  readonly ready: boolean;
  readonly version: string;
  readonly ambiente: string;
  readonly perfil: string;
  /** The attribute table in force. `null`: no attribute rules are applied. */
  readonly attributeTable: AttributeTableState | null;
  /** Portuguese: why it is not ready, or notices for the operator. */
  readonly notices: readonly string[];
  readonly backup: BackupState;
  /** The replica that follows this instance. `null`: none. */
  readonly replica: (ReplicaState & { readonly socket: string; readonly mode: ReplicaMode }) | null;
  readonly epoch: Epoch;
}

const OPERATION = { tag: 'Operação', source: 'contract, section 1', access: 'anybody' } as const;

const Health = form('Health', 'O processo está vivo.', {
  status: text('Sempre ok.', 'ok'),
});
const Moment = momentOf('Quando.');
const TableOrigin = form('TableOrigin', 'A última busca da tabela em sua origem.', {
  at: Moment,
  ok: t.Boolean({ description: 'Se deu certo, com mudança ou sem.' }),
  message: text('O que veio dela.', 'A tabela 137 foi buscada; é a que está em vigor.'),
});
const TableInForce = form('TableInForce', 'A tabela de atributos em vigor.', {
  versao: text('Versão da tabela.', '137'),
  since: t.String({ description: 'Primeiro dia em vigor.', examples: ['2026-01-12'] }),
  loadedAt: momentOf('Quando foi carregada.'),
  origin: nullable(TableOrigin, { description: 'null: nenhuma origem, ou nada foi buscado ainda.' }),
});
const File = text('Nome do arquivo.', 'catp-20260115T023000.zip');
const LastBackup = form('LastBackup', 'A última cópia de segurança.', {
  at: Moment,
  file: File,
  bytes: integerForm('Tamanho.', 1048576),
});
const LastDrill = form('LastDrill', 'O último teste de restauração.', {
  at: Moment,
  file: File,
  ok: t.Boolean({ description: 'Se a cópia foi restaurada inteira.' }),
  message: nullable(t.String(), { description: 'O que está errado com ela.' }),
});
const Backup = form('BackupState', 'As cópias de segurança.', {
  last: nullable(LastBackup, { description: 'null: nenhuma foi feita.' }),
  drill: nullable(LastDrill, { description: 'null: nenhum foi feito.' }),
});
const ReplicaForm = form('ReplicaState', 'A réplica, que o Litestream leva.', {
  socket: text('O soquete de controle do Litestream.', '/run/litestream.sock'),
  ok: t.Boolean({ description: 'Se a última sincronização deu certo.' }),
  lagSeconds: integerForm('Segundos desde os quais algo pode não estar nela; 0: está em dia.', 0),
  lastSync: nullable(Moment, { description: 'A última que deu certo; null: nenhuma ainda.' }),
  mode: choice(['nunca', 'sempre'], 'replica.confirmar: se uma gravação espera por ela.'),
  epoch: integerForm('A época desta instância: 1, e uma mais a cada catp takeover.', 1),
});
const ReadinessForm = form('Readiness', 'O estado do serviço.', {
  ready: t.Boolean({ description: 'Se o serviço aceita gravações.' }),
  version: text('Versão do executável.', '1.0.0'),
  ambiente: text('Ambiente da instância.', 'validacao'),
  perfil: text('Perfil da instância.', 'especificacao'),
  attributeTable: nullable(TableInForce, {
    description: 'null: nenhuma regra de atributos é aplicada.',
  }),
  notices: t.Array(t.String(), { description: 'O que quem opera deve saber.' }),
  backup: Backup,
  replica: nullable(ReplicaForm, { description: 'null: nada segue esta instância (replica.socket).' }),
});

export function healthRoutes(metrics: Metrics, readiness: () => Promise<Readiness>): Operation<Caller>[] {
  return [
    operation('GET', '/healthz', {
      ...OPERATION,
      id: 'getHealth',
      summary: 'O processo está vivo',
      success: Health,
      handle: () => ok({ status: 'ok' }),
    }),
    operation('GET', '/readyz', {
      ...OPERATION,
      id: 'getReadiness',
      summary: 'O serviço aceita gravações; 503 quando não',
      success: ReadinessForm,
      handle: async () => {
        const { epoch, ...state } = await readiness();
        // A peer reads the epoch even from an answer without other content.
        const headers = epochHeaders(epoch);
        // Every refusal has the common body, whatever the path (contract section 3). The first notice names
        // reason and remedy.
        if (!state.ready) throw new DomainError('unavailable', state.notices[0] ?? '', { headers });
        const body = {
          ...state,
          attributeTable: state.attributeTable && printedTable(state.attributeTable),
          backup: printed(state.backup),
          replica: state.replica && printedReplica(state.replica, epoch),
        };
        return { body, headers };
      },
    }),
    operation('GET', '/metrics', {
      ...OPERATION,
      id: 'getMetrics',
      summary: 'Métricas no formato do Prometheus',
      produces: 'text/plain',
      handle: async () => ({
        headers: { 'Content-Type': metrics.contentType },
        content: await metrics.text(),
      }),
    }),
  ];
}

const printedTable = ({ versao, since, loadedAt, origin }: AttributeTableState) => ({
  versao,
  since,
  loadedAt: momentText(loadedAt),
  origin: origin && { at: momentText(origin.at), ok: origin.ok, message: origin.message },
});

/** Leaves the path of the file out: the operation is public. */
const printed = ({ last, drill }: BackupState) => ({
  last: last && { at: momentText(last.at), file: last.file, bytes: last.bytes },
  drill: drill && { ...drill, at: momentText(drill.at) },
});

const printedReplica = (replica: NonNullable<Readiness['replica']>, { number }: Epoch) => ({
  ...replica,
  epoch: number,
  lastSync: replica.lastSync === null ? null : momentText(replica.lastSync),
});
