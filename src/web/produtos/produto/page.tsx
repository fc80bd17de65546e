import type { JSX } from 'preact';
import { Page } from '../../ui/page.tsx';
import { Empty } from '../../ui/table.tsx';

export default function ProductPage(): JSX.Element {
  return (
    <Page title="Produto">
      <Empty>Esta página ainda está sendo feita.</Empty>
    </Page>
  );
}
