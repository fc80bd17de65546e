import type { JSX } from 'preact';
import { Page } from '../../ui/page.tsx';
import { Empty } from '../../ui/table.tsx';

export default function NewProductPage(): JSX.Element {
  return (
    <Page title="Novo produto">
      <Empty>Esta página ainda está sendo feita.</Empty>
    </Page>
  );
}
