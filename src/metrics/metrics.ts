/** Builds `/metrics` in the Prometheus text form. */
import type { BackupState } from '../backup/model.ts';
import { DAY_MS, type EpochMs, SECOND_MS } from '../clock.ts';
import Counter from 'prom-client/lib/counter.js';
import Gauge from 'prom-client/lib/gauge.js';
import Histogram from 'prom-client/lib/histogram.js';
import Registry from 'prom-client/lib/registry.js';
import { RequestDurations } from './request-durations.ts';

const DURATION_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
const GROUP_SIZES = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];

export interface Measures {
  readonly databaseBytes: number;
  readonly walBytes: number;
  readonly takesWrites: boolean;
  readonly now: EpochMs;
  readonly backup: BackupState;
  readonly queue: { readonly waiting: number; readonly oldestDueAt: EpochMs | undefined };
  readonly certificateMsLeft: number | undefined;
  readonly replica: { readonly ok: boolean; readonly lagSeconds: number } | undefined;
  readonly remotes: readonly RemoteMeasure[];
  /** The messages by e-mail. `undefined`: none are sent. */
  readonly email: { readonly waiting: number; readonly givenUp: number } | undefined;
  /** The time without news of a newer attribute table, and the result of the last fetch, if any. */
  readonly attributeTable: { readonly ageMs: number | undefined; readonly fetchedOk: boolean | undefined };
}

/** Values that are read at each request. `undefined`: not shown. */
const GAUGES: readonly (readonly [name: string, help: string, of: (now: Measures) => number | undefined])[] =
  [
    ['catp_database_bytes', 'Size of the database file.', (now) => now.databaseBytes],
    ['catp_wal_bytes', 'Size of the write-ahead log.', (now) => now.walBytes],
    [
      'catp_ready',
      '1: writes are taken; 0: they are refused, as /readyz says.',
      (now) => Number(now.takesWrites),
    ],
    ['catp_resident_memory_bytes', 'Resident memory of the process.', () => process.memoryUsage.rss()],
    [
      'catp_backup_timestamp_seconds',
      'Time of the last backup; 0: none.',
      ({ backup: { last } }) => (last?.at ?? 0) / SECOND_MS,
    ],
    ['catp_backup_bytes', 'Size of the last backup.', ({ backup: { last } }) => last?.bytes ?? 0],
    [
      'catp_restore_drill_timestamp_seconds',
      'Time of the last restore drill; 0: none.',
      ({ backup: { drill } }) => (drill?.at ?? 0) / SECOND_MS,
    ],
    [
      'catp_restore_drill_ok',
      '1: the last restore drill found the backup whole.',
      ({ backup: { drill } }) => Number(drill?.ok === true),
    ],
    ['catp_deliveries_waiting', 'Deliveries to be tried, now or later.', ({ queue }) => queue.waiting],
    [
      'catp_delivery_oldest_due_seconds',
      'How long the delivery that has waited longest is due; 0: none is due.',
      ({ now, queue: { oldestDueAt = now } }) => Math.max(0, now - oldestDueAt) / SECOND_MS,
    ],
    [
      'catp_certificate_days_left',
      'Days until the certificate of the HTTPS listener ends; negative: it has ended; without HTTPS, none.',
      ({ certificateMsLeft: left }) => (left === undefined ? undefined : left / DAY_MS),
    ],
    [
      'catp_replica_ok',
      '1: the replica took the last sync; 0: it did not; without one, none.',
      ({ replica }) => replica && Number(replica.ok),
    ],
    [
      'catp_replica_lag_seconds',
      'How long something may have been missing in the replica; 0: it has all; without one, none.',
      ({ replica }) => replica?.lagSeconds,
    ],
    [
      'catp_emails_waiting',
      'E-mails to be sent, now or later; without a server, none.',
      ({ email }) => email?.waiting,
    ],
    [
      'catp_emails_given_up',
      'E-mails that were given up in the last 30 days; without a server, none.',
      ({ email }) => email?.givenUp,
    ],
    [
      'catp_attribute_table_age_seconds',
      'Time since the last good fetch of the attribute table, changed or not, else since its loading; without a table, none.',
      ({ attributeTable: { ageMs } }) => (ageMs === undefined ? undefined : ageMs / SECOND_MS),
    ],
    [
      'catp_attribute_table_fetch_ok',
      '1: the last fetch of the attribute table succeeded; 0: it failed; without an origin, none.',
      ({ attributeTable: { fetchedOk } }) => (fetchedOk === undefined ? undefined : Number(fetchedOk)),
    ],
  ];

/** Facts about this build. The value is always 1. */
export interface Build {
  readonly version: string;
  readonly ambiente: string;
  readonly perfil: string;
  readonly schema: string;
}

/** The unfinished runs of a remote. */
export interface RemoteMeasure {
  readonly remote: string;
  readonly unfinished: number;
  readonly resting: number;
}

export class Metrics {
  readonly #registry = new Registry();
  readonly #build = new Gauge({
    name: 'catp_build_info',
    help: 'The build that runs, in its labels; always 1.',
    labelNames: ['version', 'ambiente', 'perfil', 'schema'] as const,
    registers: [this.#registry],
  });
  readonly #jobSuccess = new Gauge({
    name: 'catp_job_last_success_timestamp_seconds',
    help: 'When a job last succeeded since the start, by job; without a success since then, none.',
    labelNames: ['job'] as const,
    registers: [this.#registry],
  });
  readonly #jobFailure = new Gauge({
    name: 'catp_job_last_failure_timestamp_seconds',
    help: 'When a job last failed since the start, by job; without a failure since then, none.',
    labelNames: ['job'] as const,
    registers: [this.#registry],
  });
  readonly #remoteRuns = new Gauge({
    name: 'catp_remote_runs_unfinished',
    help: 'Sends and fetches of a remote that have not ended.',
    labelNames: ['remote'] as const,
    registers: [this.#registry],
  });
  readonly #remoteRests = new Gauge({
    name: 'catp_remote_runs_resting',
    help: 'Those that wait until the remote may be asked again.',
    labelNames: ['remote'] as const,
    registers: [this.#registry],
  });
  readonly #requests = new RequestDurations(DURATION_SECONDS);
  readonly #groups = new Histogram({
    name: 'catp_commit_group_size',
    help: 'Units of work that shared one commit.',
    buckets: GROUP_SIZES,
    registers: [this.#registry],
  });
  readonly #commits = new Histogram({
    name: 'catp_commit_duration_seconds',
    help: 'Time of a commit, its fsync included.',
    buckets: DURATION_SECONDS,
    registers: [this.#registry],
  });
  readonly #deliveries = new Counter({
    name: 'catp_delivery_attempts_total',
    help: 'Attempts to deliver notifications, by outcome.',
    labelNames: ['outcome'] as const,
    registers: [this.#registry],
  });

  /** The gauges of the values that are read at each request. */
  #gauges: readonly (readonly [Gauge, (typeof GAUGES)[number][2]])[] | undefined;
  readonly #measures: () => Measures;

  constructor(build: Build, measures: () => Measures) {
    this.#build.set({ ...build }, 1);
    this.#measures = measures;
  }

  request(operation: string, status: number, ms: number): void {
    this.#requests.observe(operation, status, ms / 1000);
  }

  group(size: number, commitMs: number): void {
    this.#groups.observe(size);
    this.#commits.observe(commitMs / 1000);
  }

  delivery(outcome: string): void {
    this.#deliveries.inc({ outcome });
  }

  job(job: string, outcome: 'ok' | 'failed', at: EpochMs): void {
    (outcome === 'ok' ? this.#jobSuccess : this.#jobFailure).set({ job }, at / SECOND_MS);
  }

  async text(): Promise<string> {
    const measures = this.#measures();
    this.#remoteRuns.reset();
    this.#remoteRests.reset();
    for (const { remote, unfinished, resting } of measures.remotes) {
      this.#remoteRuns.set({ remote }, unfinished);
      this.#remoteRests.set({ remote }, resting);
    }
    const registers = [this.#registry];
    this.#gauges ??= GAUGES.map(([name, help, of]) => [new Gauge({ name, help, registers }), of]);
    for (const [gauge, of] of this.#gauges) {
      const value = of(measures);
      if (value === undefined) gauge.remove();
      else gauge.set(value);
    }
    return `${await this.#registry.metrics()}\n${this.#requests.text()}`;
  }

  get contentType(): string {
    return this.#registry.contentType;
  }
}
