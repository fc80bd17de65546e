/** Shows a page, which is loaded at its first visit. */
import type { ComponentType, JSX } from 'preact';
import { useEffect, useErrorBoundary, useState } from 'preact/hooks';
import { api } from '../api/api.ts';
import type { PageProps } from '../page.ts';
import type { PageEntry } from '../pages.ts';
import { Notice } from '../ui/alert.tsx';
import { Button } from '../ui/button.tsx';
import { Page } from '../ui/page.tsx';
import { Waiting } from './unavailable-pages.tsx';

const loaded = new Map<string, ComponentType<PageProps>>();

export function CurrentPage({ entry, params }: PageProps & { readonly entry: PageEntry }): JSX.Element {
  const [Component, setComponent] = useState(() => loaded.get(entry.address));
  const [isLost, setLost] = useState(false);
  const [fault] = useErrorBoundary();

  useEffect(() => {
    let isCancelled = false;
    const load = async (): Promise<void> => {
      const module = await entry.load();
      loaded.set(entry.address, module.default);
      if (!isCancelled) setComponent(() => module.default);
    };
    load()
      .catch(() => api.connection.waitForServer().then(load))
      .catch(() => isCancelled || setLost(true));
    return () => {
      isCancelled = true;
    };
  }, [entry]);

  if (isLost || fault !== undefined)
    return (
      <Page title={entry.title}>
        <Notice tone="bad">
          <p>
            {isLost
              ? 'A página não pôde ser carregada: o servidor não respondeu, ou foi atualizado.'
              : `A página parou por uma falha nossa: ${fault instanceof Error ? fault.message : String(fault)}`}
          </p>
          <Button small onPress={() => location.reload()}>
            Carregar de novo
          </Button>
        </Notice>
      </Page>
    );
  return Component === undefined ? <Waiting title={entry.title} /> : <Component params={params} />;
}
