// What the service says of a request that failed.

/** The message of an Error body, or that there is none. */
export function messageOf(text, status) {
  try {
    return JSON.parse(text).error.message;
  } catch {
    return `the service answered ${status}; try again`;
  }
}
