/** Backups (contract section 16): the content of one, and the stored state of the last. */
import type { EpochMs } from '../clock.ts';

/** The members of a backup. */
export const DATABASE_MEMBER = 'catp.sqlite';
export const KEY_MEMBER = 'catp.key';
export const MANIFEST_MEMBER = 'manifest.json';

/** Numbers of records. */
export interface Counts {
  readonly products: number;
  readonly productVersions: number;
  readonly foreignOperators: number;
  readonly manufacturerLinks: number;
  readonly subscriptions: number;
  readonly users: number;
}

/** The last entry of the audit (0: none), and the hash of its page in hexadecimal. */
export interface AuditEnd {
  readonly seq: number;
  readonly hash: string;
}

export interface Manifest {
  /** ISO instant. The backup contains everything acknowledged before it. */
  readonly createdAt: string;
  /** The version of catp that made it. */
  readonly version: string;
  /** Number of the newest migration of the database. */
  readonly schema: number;
  readonly counts: Counts;
  /** `undefined`: an older version of catp made it. */
  readonly audit?: AuditEnd;
  /** The upgrade that needed it. `undefined`: none. */
  readonly upgrade?: Upgrade;
  /** The hash of each other member. */
  readonly sha256: Readonly<Record<string, string>>;
}

/** The versions of catp before and after an upgrade. */
export interface Upgrade {
  readonly from: string;
  readonly to: string;
  /** Number of the newest migration of the newer version. */
  readonly schema: number;
}

export interface LastBackup {
  readonly at: EpochMs;
  /** The file name without the folder. */
  readonly file: string;
  readonly bytes: number;
}

/** A backup in the folder. `at`: when its file was finished. */
export type BackupFile = LastBackup;

export interface LastDrill {
  readonly at: EpochMs;
  readonly file: string;
  readonly ok: boolean;
  /** The fault, in Portuguese. `null`: none. */
  readonly message: string | null;
}

export interface BackupState {
  readonly last: LastBackup | null;
  readonly drill: LastDrill | null;
}

/** A new backup. */
export interface NewBackup extends LastBackup {
  readonly path: string;
  readonly counts: Counts;
}

/** A verified or restored backup. */
export interface RestoredBackup {
  readonly file: string;
  readonly createdAt: string;
  readonly version: string;
  readonly counts: Counts;
  /** The backup contained the keys. */
  readonly keys: boolean;
}

/** Returns notices for the operator (Portuguese). */
export const backupNotices = ({ drill }: BackupState): readonly string[] =>
  drill === null || drill.ok
    ? []
    : [
        `O teste de restauração de ${drill.file} falhou: a última cópia de segurança não serve. Veja catp doctor.`,
      ];

/** Returns the message about a folder that a newer catp upgraded (Portuguese). */
export const upgradedText = ({ from, to }: Upgrade, copy: string): string =>
  `O banco de dados foi atualizado da versão ${from} para a ${to} do catp; a cópia de segurança de antes é ${copy}, e fica guardada por dez dias.`;
