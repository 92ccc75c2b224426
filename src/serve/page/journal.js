// A match that is watched: placed here by its own module.

export function start() {}
export function show() {}
export function hide() {}
export function hear() {}
export function game() {}
