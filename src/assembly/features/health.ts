/** Health: liveness, readiness and metrics. */
import { type BackupState, backupNotices } from '../../backup/model.ts';
import { SECOND_MS, waited } from '../../clock.ts';
import { refusalOfWrite } from '../../db/needed-folders.ts';
import { TROUBLE_NOTICES } from '../../db/trouble.ts';
import type { Feature } from '../feature.ts';
import type { AppContext } from '../app-context.ts';
import { reasonOf, systemCode } from '../../system/errors.ts';
import { bytesText } from '../../validation/text.ts';
import { VERSION } from '../../version.ts';
import type { FetchStatus, OriginState } from '../../catalogue/attribute/origin/model.ts';
import {
  nomenclatureFetchProblem,
  tableFetchProblem,
} from '../../catalogue/attribute/origin/fetch-problem.ts';
import { type AttributeTableState, type Readiness, healthRoutes } from '../../health/routes.ts';

/** Time that a write probe stays valid. */
const TRIED_FOR_MS = SECOND_MS;

/** Free space below which the next writes may fail. Readiness then reports it in advance. */
const LEAST_ROOM_BYTES = 16 * 1024 * 1024;

type Outside = Pick<AppContext, 'folder' | 'diskOf' | 'certificateMsLeft'>;

/** Returns the reason why the disk has no space for writes, for administrators. `undefined`: it has space. */
export function lackOfRoom({ folder, diskOf }: Outside): string | undefined {
  try {
    const { freeBytes } = diskOf(folder.path);
    return freeBytes >= LEAST_ROOM_BYTES
      ? undefined
      : `O disco está quase cheio: tem só ${bytesText(freeBytes)} livres, e as gravações logo serão recusadas. Libere espaço.`;
  } catch (problem) {
    if (systemCode(problem) === undefined) throw problem;
    return `O disco da pasta ${folder.path} não pôde ser consultado (${reasonOf(problem)}). Verifique a pasta.`;
  }
}

/** Returns why the imports folder is not writable. Uploads, sheets and comparisons all need it. */
function lackOfImports({ folder }: Outside): string | undefined {
  const reason = refusalOfWrite(folder.imports);
  return reason === undefined
    ? undefined
    : `Nenhum arquivo pode ser recebido em ${folder.imports} (${reason}). Corrija a pasta, ou reinicie o servidor, que faz a que falta.`;
}

/** Returns notices that block no write but need attention early. */
const remarksOn = ({ folder, diskOf, certificateMsLeft }: Outside): readonly string[] => [
  ...(diskOf(folder.path).isVolatile
    ? ['A pasta de dados está em memória (tmpfs): um reinício da máquina perde tudo.']
    : []),
  ...((certificateMsLeft() ?? 1) <= 0
    ? ['O certificado do servidor venceu: renove o de tls.certificado; ele é lido de novo em até 5 s.']
    : []),
];

/** State of the lists that are fetched automatically. */
export interface FetchedLists {
  readonly table: () => Omit<AttributeTableState, 'origin'> | undefined;
  readonly hasOrigin: boolean;
  readonly origin: () => OriginState | null;
  readonly wasEverActivated: (tableId: number) => boolean;
  /** `undefined`: no origin is set. */
  readonly nomenclature: () => Omit<FetchStatus, 'now'> | undefined;
}

export function openHealth(
  appContext: AppContext,
  lists: FetchedLists,
  backups: { readonly folder: string; readonly state: () => BackupState },
): Feature {
  const { writer, trail, settings, metrics, realTime, clock, replica, fence, epochs } = appContext;
  let triedAt = Number.NEGATIVE_INFINITY;
  let refusal: string | undefined;
  let noUploads: string | undefined;
  let noBackups: string | undefined;
  /**
   * Probes a write, because readiness requires a recent successful one. Concurrent probes share one write.
   * A busy database gets a short grace period.
   */
  const tryWrite = async (): Promise<void> => {
    if (realTime.now() - triedAt < TRIED_FOR_MS) return;
    triedAt = realTime.now();
    noUploads = lackOfImports(appContext);
    noBackups = refusalOfWrite(backups.folder);
    const trying = writer.touch().then(
      () => (refusal = undefined),
      // The writer itself reports a failure that it knows, and the end of that failure.
      (error: unknown) => (refusal = writer.trouble === undefined ? reasonOf(error) : undefined),
    );
    await waited(
      realTime,
      TRIED_FOR_MS,
      trying.then(() => undefined),
    );
  };
  const readiness = async (): Promise<Readiness> => {
    await tryWrite();
    const problem =
      writer.trouble === undefined
        ? (refusal ?? fence.refusal?.message ?? lackOfRoom(appContext) ?? noUploads)
        : TROUBLE_NOTICES[writer.trouble];
    const table = lists.table();
    const origin = lists.origin();
    const now = clock.now();
    const fetched = { origin, loadedAt: table?.loadedAt, now };
    const nomenclature = lists.nomenclature();
    const troubles = [
      lists.hasOrigin ? tableFetchProblem(fetched, settings, lists.wasEverActivated) : undefined,
      nomenclature && nomenclatureFetchProblem({ ...nomenclature, now }, settings),
    ];
    const backup = backups.state();
    return {
      ready: problem === undefined,
      version: VERSION,
      ambiente: settings.ambiente,
      perfil: settings.perfil,
      attributeTable: table === undefined ? null : { ...table, origin },
      notices: [
        ...(problem === undefined ? remarksOn(appContext) : [problem]),
        ...(table === undefined
          ? ['Nenhuma tabela de atributos em vigor: os atributos dos produtos não são conferidos.']
          : []),
        ...troubles.flatMap((one) => one?.message ?? []),
        ...(trail.fault === undefined
          ? []
          : [
              `A trilha de auditoria não está íntegra. ${trail.fault.message} Confira com catp audit verify.`,
            ]),
        ...(problem === undefined && replica?.notice !== undefined ? [replica.notice] : []),
        ...backupNotices(backup),
        ...(noBackups === undefined
          ? []
          : [`Nenhuma cópia de segurança pode ser gravada (${noBackups}). Veja catp doctor.`]),
      ],
      backup,
      replica:
        replica === undefined
          ? null
          : { ...replica.state(), socket: settings['replica.socket'], mode: settings['replica.confirmar'] },
      epoch: epochs.current,
    };
  };
  // A command has no metrics and serves no health requests.
  return { operations: () => (metrics === undefined ? [] : healthRoutes(metrics, readiness)) };
}
