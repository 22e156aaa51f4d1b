/** A K whose stem ends in the teeth of a key, and whose arm in its bow. */
export function Mark() {
  return (
    <svg
      className="mark"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="2.4"
      aria-hidden="true"
    >
      <path d="M5 2v20M5 13.5 17 4M9.6 10 18 21M5 18h4M5 21.8h4" />
      <circle cx="18.4" cy="4.2" r="2.4" fill="currentColor" stroke="none" />
    </svg>
  );
}
