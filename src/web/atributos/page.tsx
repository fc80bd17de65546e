import type { JSX } from 'preact';
import { Page } from '../ui/page.tsx';
import { Empty } from '../ui/table.tsx';

export default function AttributesPage(): JSX.Element {
  return (
    <Page title="Atributos">
      <Empty>Esta página ainda está sendo feita.</Empty>
    </Page>
  );
}
