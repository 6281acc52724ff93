/** Draws a symbol of index.html. It is hidden from assistive technology, because words stand beside it. */
export const Icon = ({ name, className }: { readonly name: string; readonly className?: string }) => (
  <svg aria-hidden="true" className={className}>
    <use href={`#i-${name}`} />
  </svg>
)
