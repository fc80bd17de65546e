/**
 * Subscribes to the events of changes, which are kept only while they have a subscriber (contract section
 * 10).
 */
import type { TestApp } from './app.ts';

/** The key `estranho`, whose user gets no events of the companies of the other keys. */
const SOMEBODY_ELSE = '00000000353';

/** Makes catp keep these events without delivering them. */
export async function keepEvents(
  { app }: Pick<TestApp, 'app'>,
  ...eventos: readonly string[]
): Promise<void> {
  for (const evento of eventos)
    await app.core.notification.subscriptions.subscribe(SOMEBODY_ELSE, {
      evento,
      endpoint: 'https://erp.invalid/aviso',
    });
}
