import type { JSX } from 'preact';

/** Renders paragraphs and `code`, the only marks in our descriptions. */
export function Prose({ text }: { readonly text: string }): JSX.Element {
  const paragraphs = text.split(/\n\s*\n/).filter((paragraph) => paragraph.trim() !== '');
  return (
    <>
      {paragraphs.map((paragraph) => (
        <p key={paragraph} class="prose">
          <Line text={paragraph} />
        </p>
      ))}
    </>
  );
}

export function Line({ text }: { readonly text: string }): JSX.Element {
  // Between backticks, every second piece is code.
  return <>{text.split('`').map((piece, at) => (at % 2 === 1 ? <code key={at}>{piece}</code> : piece))}</>;
}
