/** Backups (contract section 16): what is in one, and what is remembered of the last. */
import type { EpochMs } from '../clock.ts';

/** The members of a backup. */
export const DATABASE_MEMBER = 'catp.sqlite';
export const KEY_MEMBER = 'catp.key';
export const MANIFEST_MEMBER = 'manifest.json';

/** How many there are of what people count. */
export interface Counts {
  readonly products: number;
  readonly productVersions: number;
  readonly foreignOperators: number;
  readonly manufacturerLinks: number;
  readonly subscriptions: number;
  readonly users: number;
}

/** The last entry of the audit, 0 where it has none, and the hash of its page in hexadecimal. */
export interface AuditEnd {
  readonly seq: number;
  readonly hash: string;
}

export interface Manifest {
  /** ISO instant; everything acknowledged before it is in the backup. */
  readonly createdAt: string;
  /** The version of catp that made it. */
  readonly version: string;
  /** Number of the newest migration of the database. */
  readonly schema: number;
  readonly counts: Counts;
  /** Absent where an older version of catp made it. */
  readonly audit?: AuditEnd;
  /** The upgrade that it was made for; absent: none. */
  readonly upgrade?: Upgrade;
  /** Of each other member. */
  readonly sha256: Readonly<Record<string, string>>;
}

/** From which version of catp to which a database is brought. */
export interface Upgrade {
  readonly from: string;
  readonly to: string;
  /** Number of the newest migration of the newer version. */
  readonly schema: number;
}

export interface LastBackup {
  readonly at: EpochMs;
  /** Its name, without the folder. */
  readonly file: string;
  readonly bytes: number;
}

/** A backup that lies in the folder; `at` is when its file was finished. */
export type BackupFile = LastBackup;

export interface LastDrill {
  readonly at: EpochMs;
  readonly file: string;
  readonly ok: boolean;
  /** What is wrong with it, in Portuguese; `null` when nothing is. */
  readonly message: string | null;
}

export interface BackupState {
  readonly last: LastBackup | null;
  readonly drill: LastDrill | null;
}

/** A backup that was made. */
export interface Made extends LastBackup {
  readonly path: string;
  readonly counts: Counts;
}

/** What was found whole, or put into its place. */
export interface Restored {
  readonly file: string;
  readonly createdAt: string;
  readonly version: string;
  readonly counts: Counts;
  /** Whether the keys came with it. */
  readonly keys: boolean;
}

/** What whoever looks after the server should know (Portuguese). */
export const backupNotices = ({ drill }: BackupState): readonly string[] =>
  drill === null || drill.ok
    ? []
    : [
        `O teste de restauração de ${drill.file} falhou: a última cópia de segurança não serve. Veja catp doctor.`,
      ];

/** What is said when a newer catp upgraded the folder of an older one (Portuguese). */
export const upgradedText = ({ from, to }: Upgrade, copy: string): string =>
  `O banco de dados foi atualizado da versão ${from} para a ${to} do catp; a cópia de segurança de antes é ${copy}, e fica guardada por dez dias.`;
