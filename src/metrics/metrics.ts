/** What `/metrics` shows, in the Prometheus text form. */
import type { BackupState } from '../backup/model.ts';
import { DAY_MS, type EpochMs, SECOND_MS } from '../clock.ts';
import Counter from 'prom-client/lib/counter.js';
import Gauge from 'prom-client/lib/gauge.js';
import Histogram from 'prom-client/lib/histogram.js';
import Registry from 'prom-client/lib/registry.js';

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
}

export class Metrics {
  readonly #registry = new Registry();
  readonly #requests = new Histogram({
    name: 'catp_http_request_duration_seconds',
    help: 'Requests by operation and status.',
    labelNames: ['operation', 'status'] as const,
    buckets: DURATION_SECONDS,
    registers: [this.#registry],
  });
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

  constructor(measures: () => Measures) {
    const { database, wal } = {
      database: gauge('catp_database_bytes', 'Size of the database file.', this.#registry),
      wal: gauge('catp_wal_bytes', 'Size of the write-ahead log.', this.#registry),
    };
    const ready = gauge(
      'catp_ready',
      '1: writes are taken; 0: they are refused, as /readyz says.',
      this.#registry,
    );
    const resident = gauge('catp_resident_memory_bytes', 'Resident memory of the process.', this.#registry);
    const backedUpAt = gauge(
      'catp_backup_timestamp_seconds',
      'Time of the last backup; 0: none.',
      this.#registry,
    );
    const backupBytes = gauge('catp_backup_bytes', 'Size of the last backup.', this.#registry);
    const drilledAt = gauge(
      'catp_restore_drill_timestamp_seconds',
      'Time of the last restore drill; 0: none.',
      this.#registry,
    );
    const drillOk = gauge(
      'catp_restore_drill_ok',
      '1: the last restore drill found the backup whole.',
      this.#registry,
    );
    const waiting = gauge('catp_deliveries_waiting', 'Deliveries to be tried, now or later.', this.#registry);
    const oldest = gauge(
      'catp_delivery_oldest_due_seconds',
      'How long the delivery that has waited longest is due; 0: none is due.',
      this.#registry,
    );
    const daysLeft = gauge(
      'catp_certificate_days_left',
      'Days until the certificate of the HTTPS listener ends; negative: it has ended; without HTTPS, none.',
      this.#registry,
    );
    daysLeft.remove(); // it begins with 0, which would be an alarm
    this.#beforeReading = () => {
      const { databaseBytes, walBytes, takesWrites, now, backup, queue, certificateMsLeft } = measures();
      database.set(databaseBytes);
      wal.set(walBytes);
      ready.set(takesWrites ? 1 : 0);
      resident.set(process.memoryUsage.rss());
      backedUpAt.set((backup.last?.at ?? 0) / SECOND_MS);
      backupBytes.set(backup.last?.bytes ?? 0);
      drilledAt.set((backup.drill?.at ?? 0) / SECOND_MS);
      drillOk.set(backup.drill?.ok === true ? 1 : 0);
      waiting.set(queue.waiting);
      oldest.set(Math.max(0, now - (queue.oldestDueAt ?? now)) / SECOND_MS);
      if (certificateMsLeft !== undefined) daysLeft.set(certificateMsLeft / DAY_MS);
    };
  }

  readonly #beforeReading: () => void;

  request(operation: string, status: number, ms: number): void {
    this.#requests.observe({ operation, status: String(status) }, ms / 1000);
  }

  group(size: number, commitMs: number): void {
    this.#groups.observe(size);
    this.#commits.observe(commitMs / 1000);
  }

  delivery(outcome: string): void {
    this.#deliveries.inc({ outcome });
  }

  async text(): Promise<string> {
    this.#beforeReading();
    return this.#registry.metrics();
  }

  get contentType(): string {
    return this.#registry.contentType;
  }
}

function gauge(name: string, help: string, registry: Registry): Gauge {
  return new Gauge({ name, help, registers: [registry] });
}
