/** Detects versions that others created between the opening of a form and its submit. */
import { useRef, useState } from 'preact/hooks';
import type { ListedVersion } from '../api/answers.ts';
import { api } from '../api/api.ts';
import { type Result, faultOf } from '../api/result.ts';
import { momentText, numberText } from '../words.ts';
import { madeSince } from './differences.ts';

export interface StartedEdit {
  /** Name of the record: `Este produto` */
  readonly recordName: string;
  /** Path of its versions. */
  readonly path: string;
  /** The version in force at the start, or the one to rectify. */
  readonly versao: string;
  readonly rectifies: boolean;
}

export interface NewerVersionsState {
  /** Newer versions that block the write, oldest first, until the user accepts. */
  readonly newerVersions: readonly ListedVersion[];
  /** Runs the write if nobody has created a version meanwhile. */
  readonly unlessWritten: <T>(write: () => Promise<Result<T>>) => Promise<Result<T>>;
  /** Allows the write in spite of newer versions. */
  readonly accept: () => void;
}

/** `startedEdit`: `undefined` for a new record. */
export function useNewer(startedEdit: StartedEdit | undefined): NewerVersionsState {
  const [newerVersions, setNewerVersions] = useState<readonly ListedVersion[]>([]);
  const knownVersionRef = useRef<string>(undefined);
  return {
    newerVersions,
    accept: () => {
      knownVersionRef.current = newerVersions.at(-1)?.versao ?? knownVersionRef.current;
    },
    unlessWritten: async (write) => {
      if (startedEdit === undefined) return write();
      const now = await api.get<readonly ListedVersion[]>(startedEdit.path);
      if (!now.ok) return now;
      const createdVersions = madeSince(
        now.value,
        knownVersionRef.current ?? startedEdit.versao,
        startedEdit.rectifies,
      );
      setNewerVersions(createdVersions);
      const last = createdVersions.at(-1);
      return last === undefined ? write() : { ok: false, error: faultOf(messageOf(last, startedEdit)) };
    },
  };
}

const messageOf = (
  { versao, madeAt, madeBy, madeByName }: ListedVersion,
  { recordName, versao: from, rectifies }: StartedEdit,
): string =>
  `${recordName} já ${rectifies ? 'tem' : 'é'} a versão ${versao} (por ${madeByName ?? numberText(madeBy)}, em ${momentText(madeAt)}), e o que está aqui partiu da versão ${from}. Nada foi gravado; veja o que mudou.`;
