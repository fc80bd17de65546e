/** The daily message lists decisions for an author, and waiting proposals for approvers. */
import { expect, test } from 'bun:test';
import { decide, include, openOffice, proposed } from '../catalogue/proposal/support.ts';
import { emailSettings, openSmtp, partsOf } from '../support/smtp.ts';

test('lists a waiting proposal, and its decision once', async () => {
  await using smtp = await openSmtp();
  const { server, author, approver, reader } = await openOffice({ settings: await emailSettings(smtp.port) });
  try {
    for (const [client, name] of [
      [author, 'bia'],
      [approver, 'maria'],
      [reader, 'leo'],
    ] as const)
      await client.call('PUT', '/appliance/api/me', { email: `${name}@empresa.exemplo` });
    const goTo = async (day: number): Promise<void> => {
      const set = `2026-01-${day}T07:00:00-03:00`;
      await (await server.as('admin')).call('POST', '/appliance/api/clock', { set });
      for (const one of server.app.core.email.dueWork ?? []) await one.runDue();
    };
    const ids = [];
    for (const text of ['Outra', 'Mais uma'])
      ids.push(await proposed(await server.as('Bia'), [[await include(approver), text]]));
    await goTo(16);
    expect(smtp.received.map(({ to }) => to)).toEqual([['maria@empresa.exemplo']]);
    expect(partsOf(smtp.received[0] ?? { raw: '' }).text).toContain('2 propostas esperam uma decisão.');
    await decide(await server.as('demo'), ids[0] ?? 0, 'reject', { reason: 'Falta o material.' });
    await goTo(17);
    expect(smtp.received.slice(1).map(({ to }) => to)).toEqual([['bia@empresa.exemplo']]);
    const { text } = partsOf(smtp.received[1] ?? { raw: '' });
    expect(text).toContain(`- A sua proposta de 1 item foi recusada: Falta o material.
  https://catalogo.empresa.exemplo/importar/${ids[0]}`);
    await goTo(18);
    expect(smtp.received).toHaveLength(2);
    await decide(await server.as('demo'), ids[1] ?? 0, 'approve');
    await goTo(19);
    expect(smtp.received).toHaveLength(3);
    expect(partsOf(smtp.received[2] ?? { raw: '' }).text).not.toContain('recusada');
    await goTo(28);
    expect(smtp.received).toHaveLength(3);
  } finally {
    await server.close();
  }
});
