/** Makes or checks a backup outside the main thread: both take long and would block requests. */
import { OperatorError } from '../errors.ts';
import { onMessage } from '../system/worker.ts';
import type { BackupAnswer, BackupTask } from './messages.ts';
import { makeBackup } from './make.ts';
import { check } from './restore.ts';

declare const self: Worker;

onMessage<BackupTask>((task) => void answerTo(task).then((answer) => self.postMessage(answer)));

async function answerTo(task: BackupTask): Promise<BackupAnswer> {
  try {
    return task.type === 'make'
      ? { type: 'made', made: await makeBackup(task) }
      : { type: 'checked', restored: await check(task) };
  } catch (error) {
    const { message } = error instanceof Error ? error : new Error(String(error));
    return { type: 'failed', message, isForPeople: error instanceof OperatorError };
  }
}
