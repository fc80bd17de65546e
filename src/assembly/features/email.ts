/** E-mail: messages that a change queues, and the loop that sends them. */
import { DAY_MS } from '../../clock.ts';
import { FolderMarks } from '../../db/folder-mark.ts';
import type { Transaction } from '../../db/writer.ts';
import type { Right } from '../../right.ts';
import { CATALOGUE_PROFILE } from '../../session/model.ts';
import type { InvitedAddress } from '../../session/passwords.ts';
import { SessionStore } from '../../session/store.ts';
import { invitationEmail } from '../../email/invitation.ts';
import type { Feature } from '../feature.ts';
import type { AppContext } from '../app-context.ts';
import { type EmailConnection, emailConnection } from '../../email/connection.ts';
import { createDailyEmails } from '../../email/daily.ts';
import { DailyStore } from '../../email/daily-store.ts';
import { EmailSender } from '../../email/sender.ts';
import { Notices } from '../../email/notices.ts';
import { NoticeStore } from '../../email/notice-store.ts';
import { Emails } from '../../email/service.ts';
import { EmailStore } from '../../email/store.ts';
import { EmailWorker } from '../../email/worker.ts';

/** Time for which a sent or abandoned message is kept. */
const KEPT_MS = 30 * DAY_MS;

const NO_RIGHTS: ReadonlyMap<string, Right> = new Map();

export function openEmail(appContext: AppContext) {
  const { db, writer, feed, clock, realTime, log, settings, fence, folder, reads } = appContext;
  const store = new EmailStore(db);
  const accounts = new SessionStore(db);
  let opened: EmailConnection | undefined;
  const connection = () => (opened ??= emailConnection(settings));
  let sender: EmailSender | undefined;
  const senderOf = (to: EmailConnection) => (sender ??= new EmailSender(to, realTime));
  const send: EmailSender['send'] = async (letter, stopping) => {
    const server = connection();
    return server && senderOf(server).send(letter, stopping);
  };
  const isOn = settings['email.servidor'] !== undefined;
  const emails = new Emails({ store, clock, isOn, connection, send, secret: folder.keys.secrets });
  const time = isOn ? settings['email.horario'] : undefined;
  const daily = createDailyEmails({
    store: new DailyStore(db),
    rightsOf: (documento) => accounts.findCaller(documento, CATALOGUE_PROFILE, true)?.companies ?? NO_RIGHTS,
    marks: new FolderMarks(db),
    emails,
    reads,
    writer,
    clock,
    time,
  });
  const notices = new Notices(new NoticeStore(db), emails);
  let worker: EmailWorker | undefined;
  const feature: Feature = {
    lateOperations: ({ emailRoutes }) => emailRoutes(emails),
    dueWork: [{ nextDueAt: () => worker?.nextDueAt(), runDue: async () => worker?.runDue() }],
    jobs: [
      {
        name: 'emails-do-dia',
        about:
          'Envia a cada pessoa o que pede atenção nas suas empresas, se há algo novo desde a última mensagem.',
        pattern: time && `${time.minute} ${time.hour} * * *`,
        atStart: () => daily.hasMissedRun(),
        runOnce: () => daily.runOnce(),
      },
      {
        name: 'emails-antigos',
        about: 'Esquece os e-mails que foram enviados, ou dados por perdidos, há mais de 30 dias.',
        pattern: isOn ? '30 3 * * *' : undefined,
        atStart: true,
        runOnce: async () => ({
          forgotten: await writer.write(({ now }) => store.deleteEnded(now - KEPT_MS)),
        }),
      },
    ],
    prepare: async () => {
      if (connection() === undefined) return;
      worker = new EmailWorker({
        store,
        writer,
        feed,
        clock,
        realTime,
        log,
        send,
        compose: (storedEmail, now) => emails.letterOf(storedEmail, now),
        waitForReplica: () => fence.caughtUp(),
      });
      emails.listen(() => worker?.wake());
    },
    start: () => worker?.start(),
    stop: async (graceMs) => worker?.stopWithin(graceMs),
  };
  return {
    ...feature,
    emails,
    /** Notifies people who chose to get this kind of notice at once. */
    notify: notices.notify,
    /** Queues an invitation to set a password. `undefined`: no server is set. */
    queueInvitation: isOn
      ? (tx: Transaction, { documento, email: to, path: href, until }: InvitedAddress) =>
          emails.queue(tx, { to, documento, content: invitationEmail(href, until) })
      : undefined,
    /** Returns the state of waiting and abandoned messages. `undefined`: no server is set. */
    state: () => (isOn ? store.state() : undefined),
    /** Abandons the waiting messages: their content cannot be decrypted without the old keys. */
    loseContents: (now: number) => store.failAll(now, 'as chaves desta pasta foram trocadas'),
  };
}
