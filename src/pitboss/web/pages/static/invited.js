// Shows the invitation in the link, which a browser keeps to itself, to the house.
const form = document.getElementById("invited");
const invitation = location.hash.slice(1);
if (invitation && !("wrong" in form.dataset)) {
  form.elements.invitation.value = invitation;
  history.replaceState(null, "", location.pathname);
  form.submit();
}
