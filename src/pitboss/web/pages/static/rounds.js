// Writes times as the reader's own clock has them; the page has them in UTC.

for (const each of document.querySelectorAll("time[datetime]")) {
  each.title = each.textContent;
  each.textContent = new Date(each.dateTime).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
}
