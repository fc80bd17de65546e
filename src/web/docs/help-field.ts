/** The search field of the handbook, above the list of pages. Its index is loaded with the first search. */
import { sectionsFor } from './help-search.ts';

/** Maximum number of listed sections. More search words narrow the list. */
const SECTIONS_MAX = 20;

export function addHelpField(contents: HTMLElement): void {
  const form = document.createElement('form');
  form.role = 'search';
  form.className = 'help-search field';
  const label = document.createElement('label');
  label.textContent = 'Procurar na ajuda';
  label.htmlFor = 'help-search';
  const field = document.createElement('input');
  field.id = 'help-search';
  field.type = 'search';
  field.autocomplete = 'off';
  const status = document.createElement('p');
  status.role = 'status';
  const list = document.createElement('ul');
  form.append(label, field, status, list);
  contents.prepend(form);

  const show = async (): Promise<void> => {
    const query = field.value;
    const { SECTIONS } = await import('./help-index.ts');
    // A later search has begun while the index was loaded.
    if (field.value !== query) return;
    const sections = sectionsFor(SECTIONS, query);
    status.textContent = query.trim() === '' ? '' : resultOf(sections.length);
    list.replaceChildren(
      ...sections.slice(0, SECTIONS_MAX).map(({ address, label: page, heading }) => {
        const link = document.createElement('a');
        link.href = address;
        link.textContent = heading === '' ? page : `${page}: ${heading}`;
        const item = document.createElement('li');
        item.append(link);
        return item;
      }),
    );
  };
  field.addEventListener('input', () => void show());
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const first = list.querySelector('a');
    if (first !== null) location.assign(first.href);
  });
}

function resultOf(count: number): string {
  if (count === 0) return 'Nada tem todas essas palavras. Tente menos palavras.';
  if (count > SECTIONS_MAX) return `${count} trechos; os primeiros ${SECTIONS_MAX}:`;
  return count === 1 ? '1 trecho:' : `${count} trechos:`;
}
